import { z } from 'zod';

const LENGTH_MAX = 2_048;

/** Where a notice may be posted to. A name and password before the host are refused: they belong into a header or a query. */
export const webhookUrlSchema = z
  .string()
  .max(LENGTH_MAX)
  .regex(/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/)
  .meta({ title: 'a URL that begins with http:// or https://' });

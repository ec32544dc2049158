import { z } from 'zod';

const LENGTH_MAX = 2_048;

/** Where a notice may be posted to. A name and password before the host are refused: they belong into a header or a query. */
export const webhookUrlSchema = z
  .string()
  .max(LENGTH_MAX)
  .regex(/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/)
  .meta({ title: 'a URL that begins with http:// or https://' });

/** Where a tracker is. No query: what is secret belongs into the environment, and what is asked comes behind it. */
export const mirrorUrlSchema = z
  .string()
  .max(LENGTH_MAX)
  .regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/)
  .meta({
    title: 'a URL that begins with http:// or https://, without a query; what opens it goes into THAW_MLFLOW_TOKEN',
  });

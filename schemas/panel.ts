import { headSchema } from './experiment.ts';
import { nameSchema, settingShape } from './experiment-setting.ts';

const { panels, family_options, simulators, evaluation, verdict, diversity } = settingShape;

/**
 * The part of an experiment that evaluation needs: a world, its simulators by panels, and how a policy is played and
 * judged there. Its keys mean what they mean in an experiment.
 */
export const panelSchema = headSchema
  .omit({ variants: true, specialists: true, seeds: true, execution: true, output_dir: true })
  .extend({
    name: nameSchema.optional().describe('Name of the panels: letters, digits, dot, underscore, hyphen.'),
    family_options,
    simulators,
    panels,
    evaluation,
    verdict,
    diversity,
  });

// In the place of src/footnote/jobs/watched.ts: nobody looks on.
type Watched = typeof import('../../../src/footnote/jobs/watched.ts');

export const watchPipeline: Watched['watchPipeline'] = (pipeline) => pipeline;
export const watchDeliveries: Watched['watchDeliveries'] = (store) => store;
export const watchEmbedding: Watched['watchEmbedding'] = (model) => model;
export const watchLearning: Watched['watchLearning'] = (learning) => learning;

// Azure AI Search against the promises of the store port, over a stand-in of the service: as it is, with an index that shows writes late and
// cuts its pages, and with vectors given.
import { openAzureStores } from '../../src/stores/azure/azure-store.ts';
import type { OpenHarness } from '../../src/stores/conformance/harness.ts';
import { type AzureSearchOptions, openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { describeStore } from './store-suite.ts';

const openAzure =
  (service: AzureSearchOptions, withVectors: boolean): OpenHarness =>
  async () => {
    const azure = await openAzureSearch(service);
    const stores = openAzureStores({
      endpoint: azure.address,
      apiKey: azure.apiKey,
      pollMs: 1,
      ...(withVectors && { vectors: { space: 'fixed:4', dimensions: 4 } }),
    });
    return {
      store: stores.store,
      async put(scope, writes) {
        await stores.store(scope).upsert(writes.map(({ document, chunks }) => ({ document, chunks })));
      },
      async remove(scope, documentIds) {
        await stores.store(scope).delete(documentIds.map((documentId) => ({ documentId })));
      },
      async close() {
        stores.close();
        await azure.close();
      },
    };
  };

describeStore('azure', openAzure({}, false));
describeStore('azure that shows writes late', openAzure({ lag: () => 3, pageRows: 2 }, true));

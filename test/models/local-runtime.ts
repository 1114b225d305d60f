// Whether what runs local models is installed: it is an optional dependency. Tests that need it skip, with a clear line, where it is absent.
import { findOnnxRuntime } from '../../src/models/local/onnx-runtime.ts';

export function hasLocalRuntime(): boolean {
  try {
    findOnnxRuntime();
    return true;
  } catch (error) {
    console.log(`skipped: ${(error as Error).message}`);
    return false;
  }
}

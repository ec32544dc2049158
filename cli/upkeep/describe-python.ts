import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 30_000;

/** Looks for packages without importing them, which takes seconds. */
const PROGRAM = `
import importlib.metadata, sys
def version(package):
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {package}"
print(f"Python {sys.version.split()[0]}, {sys.executable};", ", ".join(version(each) for each in ("numpy", "pettingzoo", "gymnasium")))
`;

/** Which Python steps environments, and what it has for that. That packages are missing is no fault: few need them. */
export async function describePython(python: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(python, ['-c', PROGRAM], { timeout: TIMEOUT_MS });
    return stdout.trim();
  } catch {
    return `${python} cannot be started, and only the families pettingzoo and gymnasium need it; THAW_PYTHON names another`;
  }
}

/**
 * ONNX Runtime for Linux records what it runs, leaves a file for each process among the temporary files, keeps an id of the
 * machine in the user's cache, and sends all that to its makers, unless this variable is set before its first session is made.
 * Import this before it.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';

/**
 * The app's own runs: it drives a worker in its process by worker.v1, as the computer drives one, and writes what comes back as
 * a results file. So every figure is computed by the same code, and means the same, as in any other results file.
 */
package rpcbench.android.bench;

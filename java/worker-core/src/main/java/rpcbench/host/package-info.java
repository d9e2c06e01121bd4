/**
 * Reports what this process has used, without guessing: a figure that the system does not report is absent, never 0.
 *
 * <p>/proc and the management beans have separate classes, {@link rpcbench.host.Proc} and {@link rpcbench.host.Switches},
 * {@link rpcbench.host.CpuTime}, and {@link rpcbench.host.Beans}, because Android's Java lacks the beans, and other systems lack
 * /proc.
 */
package rpcbench.host;

/**
 * States what this process has used, and guesses nothing: a figure that the system does not tell is absent, never 0.
 *
 * <p>/proc and the management beans stay in classes of their own, {@link rpcbench.host.Proc} and {@link
 * rpcbench.host.Switches}, {@link rpcbench.host.CpuTime}, and {@link rpcbench.host.Beans}, because Android's Java lacks the beans, and other systems lack
 * /proc.
 */
package rpcbench.host;

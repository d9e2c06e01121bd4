/** The requests and metadata of calls of somebody else's service, as the driver has prepared them. */
package rpcbench.recipe;

/** The requests and metadata of calls of a foreign service, as the driver has prepared them. */
package rpcbench.recipe;

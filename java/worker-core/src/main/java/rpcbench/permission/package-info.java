/** Access lists: which names may call a server, in the notation of Vanadium's permissions. */
package rpcbench.permission;

/** Who may call a server: access lists over names, in the notation of Vanadium's permissions. */
package rpcbench.permission;

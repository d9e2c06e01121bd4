/** Payload bytes, which are a function of a kind, a seed and a length, the same in every language; and gzip. */
package rpcbench.payload;

/**
 * Keys and certificates as they come from the driver, and the names that certificates hold. It makes none: the driver
 * does.
 */
package rpcbench.credential;

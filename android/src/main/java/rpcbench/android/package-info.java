/** The app: a screen that measures, one that is a computer's worker, and what both need of Android. */
package rpcbench.android;

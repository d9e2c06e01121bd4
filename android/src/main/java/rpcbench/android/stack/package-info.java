/** The stacks of the app. They are those of the workers on the JVM, under names of their own: results of both can meet. */
package rpcbench.android.stack;

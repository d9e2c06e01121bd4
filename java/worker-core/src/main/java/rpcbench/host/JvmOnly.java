package rpcbench.host;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks classes that use what Android lacks: management beans, Flight Recorder, dumps. Such a class is reached only after a test
 * for it. The build checks that all others use only classes of Android 8.0, API level 26.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface JvmOnly {}

package rpcbench.host;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the seam to what Android lacks: management beans, Flight Recorder, dumps. A class with this is reached only behind a test
 * for it. The build holds all others to the classes of Android 8.0, API level 26.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface JvmOnly {}

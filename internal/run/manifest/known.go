package manifest

// Known returns the stacks of the workers that rpcbench itself comes with, each with what brings it here, so that one
// that is not built is told from one that there is not.
func Known() map[string]string {
	known := map[string]string{}
	for _, stack := range []string{
		"grpc-armeria", "grpc-java-netty", "grpc-java-okhttp", "grpc-java-inprocess", "http-json-java", "http-json-okhttp",
		"http-json-urlconnection", "codec-java", "codec-java-lite", "codec-java-android",
	} {
		known[stack] = "make java builds it"
	}
	known["codec-java-nano"] = "make java builds it on amd64"
	for _, stack := range []string{"grpc-cpp-async", "grpc-cpp-callback", "grpc-cpp-sync"} {
		known[stack] = "make cpp builds it"
	}
	known["grpc-java-virtual"] = "make java builds it, and it runs on a JDK of version 21 or later"
	return known
}

package manifest

// Known returns the stacks of rpcbench's own workers, each with how to build it, so a stack that is not built can be told from
// one that does not exist.
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

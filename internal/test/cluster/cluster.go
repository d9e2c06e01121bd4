// Package cluster runs rpcbench on a real Kubernetes: etcd, the API server, the controller manager, the scheduler and three
// nodes, each with a kubelet, containerd and runc, all on this machine and in namespaces of their own, so that the machine is
// afterwards as it was. make test-kubernetes builds the programs and runs it, as root on Linux. Without them its tests are
// skipped.
//
// What is logic has faster tests beside its code, with client-go's fake.
package cluster

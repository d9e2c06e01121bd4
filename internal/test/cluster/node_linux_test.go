package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// pinned is the node whose kubelet gives each Pod processors of its own: its CPU manager's policy is static, which has to
// leave one to the system.
const pinned = 3

// node starts containerd and a kubelet, beside those of other nodes, and loads images.
func (c *cluster) node(n int, images ...string) ([]*program, error) {
	name := "node" + strconv.Itoa(n)
	folder := c.file(name)
	socket := "/run/" + name + ".sock"
	group := "/" + c.group + "/" + name
	for path, text := range map[string]string{
		"containerd.toml":  fmt.Sprintf(containerdConfig, folder, name, socket, c.path("usr/lib/cni"), folder),
		"cni/ptp.conflist": fmt.Sprintf(networkConfig, n, folder),
		"kubelet.yaml":     fmt.Sprintf(kubeletConfig, addressOf(n), group, socket, folder, folder) + policyOf(n),
	} {
		path = filepath.Join(folder, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return nil, err
		}
	}
	if err := makeGroups(c.group, c.group+"/"+name); err != nil {
		return nil, err
	}
	containers, err := c.launch(name+"-containerd", "usr/bin/containerd", "--config", filepath.Join(folder, "containerd.toml"))
	if err != nil {
		return nil, err
	}
	for _, image := range images {
		err := until("containerd takes an image", func() error {
			said, err := exec.Command(c.path("usr/bin/ctr"), "--address", socket, "--namespace", "k8s.io", "images", "import", image).
				CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, said)
			}
			return nil
		}, containers)
		if err != nil {
			return nil, err
		}
	}
	kubelet, err := c.launch(name+"-kubelet", "kubelet", "--config", filepath.Join(folder, "kubelet.yaml"),
		"--kubeconfig", c.file("admin.conf"), "--root-dir", filepath.Join(folder, "kubelet"), "--hostname-override", name,
		"--node-ip", addressOf(n))
	return []*program{containers, kubelet}, err
}

func policyOf(node int) string {
	if node != pinned {
		return ""
	}
	return "cpuManagerPolicy: static\nreservedSystemCPUs: \"0\"\n"
}

// makeGroups makes control groups of the given paths in each hierarchy. New ones have no processors in version 1.
func makeGroups(groups ...string) error {
	hierarchies, err := filepath.Glob("/sys/fs/cgroup/*/cgroup.procs")
	if err != nil {
		return err
	}
	for _, group := range groups {
		for _, procs := range hierarchies {
			made := filepath.Join(filepath.Dir(procs), group)
			if err := os.MkdirAll(made, 0o755); err != nil {
				return err
			}
			for _, set := range []string{"cpuset.cpus", "cpuset.mems"} {
				all, err := os.ReadFile(filepath.Join(filepath.Dir(made), set))
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err := errors.Join(err, os.WriteFile(filepath.Join(made, set), all, 0o644)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// containerdConfig takes the node's folder and name, its socket, and the folders of network plugins and of their settings.
const containerdConfig = `version = 2
root = "%s/containerd"
state = "/run/%s"
[grpc]
  address = "%s"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  disable_tcp_service = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "%s"
    conf_dir = "%s/cni"
`

// networkConfig takes the node's number and folder: its Pods have addresses of its own range, by a pair of interfaces each.
const networkConfig = `{"cniVersion": "0.4.0", "name": "lab", "plugins": [{"type": "ptp", "ipam": {"type": "host-local",
  "ranges": [[{"subnet": "10.252.%d.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}], "dataDir": "%s/addresses"}}]}
`

// kubeletConfig takes the node's address, control group, containerd's socket, and its folder twice.
const kubeletConfig = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: %s
healthzPort: 0
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
cgroupRoot: %s
enforceNodeAllocatable: []
failSwapOn: false
containerRuntimeEndpoint: unix://%s
podLogsDir: %s/logs
volumePluginDir: %s/plugins
resolvConf: ""
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 50Mi}
`

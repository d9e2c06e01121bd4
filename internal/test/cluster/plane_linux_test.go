package cluster

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Addresses of the cluster's network namespace. The Service of the API server has its first address on the loopback
// interface, as no kube-proxy is here, so the API server listens where the Service does.
const (
	serviceAddress = "10.96.0.1"
	serviceRange   = "10.96.0.0/16"
	planeAddress   = "10.251.0.1"
	nodes          = 3
)

func addressOf(node int) string { return fmt.Sprintf("10.251.0.%d", 10+node) }

// password is what all programs of the cluster, and the tests, say to the API server.
const password = "of-this-namespace-only"

// A cluster is a control plane and its nodes.
type cluster struct {
	programs, folder, group string
	server                  *program
}

func (c *cluster) path(program string) string { return filepath.Join(c.programs, program) }
func (c *cluster) file(name string) string    { return filepath.Join(c.folder, name) }

// start returns when the cluster can run Pods.
func start(programs, folder, group string) (*cluster, error) {
	c := &cluster{programs: programs, folder: folder, group: group}
	for _, step := range []func() error{
		func() error { return isolate(folder) },
		func() error { return connect(nodes) },
		c.credentials, c.plane, c.runNodes, c.admit,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// credentials writes what the API server knows its users by, and makes a client.
func (c *cluster) credentials() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	if err := os.WriteFile(c.file("accounts.key"), block, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(c.file("users.csv"), []byte(password+`,admin,1,"system:masters"`+"\n"), 0o600); err != nil {
		return err
	}
	return c.kubeconfig("admin.conf", password)
}

// kubeconfig writes one of a user with a token, whose context is lab.
func (c *cluster) kubeconfig(name, token string) error {
	return os.WriteFile(c.file(name), fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: "https://%s", insecure-skip-tls-verify: true}}]
users: [{name: user, user: {token: %s}}]
contexts: [{name: lab, context: {cluster: here, user: user}}]
current-context: lab
`, planeAddress, token), 0o600)
}

// kubectl runs a command as somebody who may do everything, and returns what it prints.
func (c *cluster) kubectl(input string, words ...string) (string, error) {
	command := exec.Command(c.path("kubectl"), words...)
	command.Env = append(os.Environ(), "KUBECONFIG="+c.file("admin.conf"), "HOME="+c.folder)
	command.Stdin = strings.NewReader(input)
	said, err := command.Output()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("kubectl %s: %s", strings.Join(words, " "), ended.Stderr)
	}
	return strings.TrimSpace(string(said)), err
}

// plane starts etcd, the API server, the controllers and the scheduler.
func (c *cluster) plane() error {
	etcd, err := c.launch("etcd", "usr/bin/etcd", "--data-dir", c.file("etcd"), "--unsafe-no-fsync")
	if err != nil {
		return err
	}
	if err := c.serve(etcd); err != nil {
		return err
	}
	// Its certificate, which it makes itself, is its own authority.
	_, err = c.launch("kube-controller-manager", "kube-controller-manager", "--kubeconfig", c.file("admin.conf"),
		"--leader-elect=false", "--use-service-account-credentials", "--service-account-private-key-file", c.file("accounts.key"),
		"--root-ca-file", c.file("certificates/apiserver.crt"))
	if err != nil {
		return err
	}
	_, err = c.launch("kube-scheduler", "kube-scheduler", "--kubeconfig", c.file("admin.conf"), "--leader-elect=false")
	return err
}

// serve starts the API server, and returns when it answers.
func (c *cluster) serve(needed ...*program) (err error) {
	c.server, err = c.launch("kube-apiserver", "kube-apiserver", "--etcd-servers=http://127.0.0.1:2379",
		"--cert-dir", c.file("certificates"), "--secure-port=443", "--advertise-address", planeAddress,
		"--service-cluster-ip-range", serviceRange, "--authorization-mode=RBAC", "--token-auth-file", c.file("users.csv"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-signing-key-file", c.file("accounts.key"),
		"--service-account-key-file", c.file("accounts.key"), "--kubelet-preferred-address-types=InternalIP")
	if err != nil {
		return err
	}
	return until("the API server is ready", func() error {
		_, err := c.kubectl("", "get", "--raw", "/readyz")
		return err
	}, append(needed, c.server)...)
}

// runNodes starts the nodes, and returns when all are ready.
func (c *cluster) runNodes() error {
	pause, err := c.pause()
	if err != nil {
		return err
	}
	var needed []*program
	for n := range nodes {
		running, err := c.node(n+1, pause, c.path("rpcbench.oci.tar"))
		if err != nil {
			return fmt.Errorf("node %d: %w", n+1, err)
		}
		needed = append(needed, running...)
	}
	return until("the nodes are ready", func() error {
		const usable = `{range .items[?(@.spec.taints)]}tainted{end}{range .items[*]}` +
			`{.status.conditions[?(@.type=="Ready")].status}{end}`
		found, err := c.kubectl("", "get", "nodes", "-o", "jsonpath="+usable)
		if err == nil && found != strings.Repeat("True", nodes) {
			err = fmt.Errorf("they are %q", found)
		}
		return err
	}, needed...)
}

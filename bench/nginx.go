package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/server"
	"rpcbench/internal/worker/credential"
)

// nginxAgain is how long nginx is left alone before it is asked once more whether it listens.
const nginxAgain = 10 * time.Millisecond

// onNginx measures against Debian's nginx, which is pinned, and answers every request with the same page.
func (r *rig) onNginx(ctx context.Context, secure bool, measure func(url string) error) error {
	address, err := server.FreePortOf("127.0.0.1")
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(r.folder, "nginx-")
	if err != nil {
		return err
	}
	config, err := nginxConfig(folder, address, secure)
	if err != nil {
		return err
	}
	nginx, err := child.Start(exec.Command("nginx", "-p", folder, "-c", config, "-e", "stderr"), peersServerCPUs)
	if err != nil {
		return fmt.Errorf("start nginx: %w", err)
	}
	defer func() { _ = nginx.Wait() }()
	defer nginx.Kill()
	if err := answers(ctx, nginx, address); err != nil {
		return err
	}
	if secure {
		return measure("https://" + address + "/")
	}
	return measure("http://" + address + "/")
}

// answers waits until nginx listens.
func answers(ctx context.Context, nginx *child.Child, address string) error {
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-time.After(nginxAgain):
		case <-nginx.Ended():
			return errors.New("nginx: " + nginx.LastWords())
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// nginxConfig writes a configuration, and returns its path.
func nginxConfig(folder, address string, secure bool) (path string, err error) {
	listen := address
	if secure {
		keys := filepath.Join(folder, "keys")
		if err := credential.Create(keys); err != nil {
			return "", err
		}
		listen += " ssl http2;\n\t\tssl_certificate " + keys + "/server.pem;\n\t\tssl_certificate_key " + keys + "/server-key.pem"
	}
	path = filepath.Join(folder, "nginx.conf")
	return path, os.WriteFile(path, fmt.Appendf(nil, `
daemon off;
pid %[1]s/pid;
worker_processes 1;
events { worker_connections 16384; }
http {
	access_log off;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	keepalive_requests 1000000000;
	http2_max_concurrent_streams 1024;
	server {
		listen %[2]s;
		location / { default_type text/plain; return 200 %[3]s; }
	}
}
`, folder, listen, strings.Repeat("x", webBytes)), 0o600)
}

#!/bin/sh
# Gets what the tests on Kubernetes need into a folder, and changes nothing else:
#   tools/kubernetes.sh FOLDER
# The programs of Kubernetes are built from tools/kubernetes. etcd, containerd, runc and the network plugins are those of
# Debian's packages, unpacked and not installed.
set -eu
folder=$1
mkdir -p "$folder/packages"

for package in etcd-server containerd runc containernetworking-plugins; do
  test -e "$folder/packages/$package" && continue
  (cd "$folder/packages" && apt-get -qq -o APT::Sandbox::User=root -o Acquire::Retries=3 download "$package")
  dpkg -x "$folder/packages/$package"_*.deb "$folder"
  touch "$folder/packages/$package"
done

version=$(go -C tools/kubernetes list -m -f '{{.Version}}' k8s.io/kubernetes)
minor=${version#v1.}
of=k8s.io/component-base/version
for program in kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl; do
  echo "go build $program"
  CGO_ENABLED=0 go -C tools/kubernetes build -o "$folder/$program" \
    -ldflags "-s -w -X $of.gitVersion=$version -X $of.gitMajor=1 -X $of.gitMinor=${minor%%.*}" "k8s.io/kubernetes/cmd/$program"
done

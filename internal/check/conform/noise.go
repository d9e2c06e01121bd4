package conform

import (
	"slices"
	"strings"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// jvmRuntime begins Hello.runtime of a worker that runs on a JVM, and takes JVM options as arguments.
const jvmRuntime = "java "

// printing are options with which a JVM prints on standard output before and while the worker runs.
var printing = []string{"-verbose:gc", "-Xlog:gc"}

// noiseCases are about a worker on a JVM, through the first of its stacks that was tried.
func noiseCases(tested *control.Hello, cases []Case) []Case {
	if !strings.HasPrefix(tested.GetRuntime(), jvmRuntime) {
		return nil
	}
	for _, c := range cases {
		if c.pair.name == "" || c.skip != "" || c.pair.onlyInproc() {
			continue
		}
		return at(StepExtras, Case{Name: "options that print", command: true, pair: c.pair, run: noisy})
	}
	return nil
}

// noisy starts the worker with options that print, which must not get between its messages.
func noisy(r *rig) (string, error) {
	for _, side := range []*side{&r.pair.client, &r.pair.server} {
		if side.tested {
			side.command = append(slices.Clone(side.command), printing...)
		}
	}
	said := strings.Join(printing, " ") + ": "
	if info := r.pair.client.info; info.GetProtocol() == stack.ProtocolCodec {
		_, err := r.codedOnce(info.GetKinds()[0], info.GetMessages()[0], info.GetCodecs()[0])
		return said + "a message coded", err
	}
	detail, err := r.counted(ofKind(stack.KindUnary))
	return said + detail, err
}

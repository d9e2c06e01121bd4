package cli

import (
	"testing"

	"rpcbench/internal/plan"
)

// The first target of a plan says nothing of the others.
func TestKeysAreAskedForWhicheverServerHasItsOwn(t *testing.T) {
	t.Parallel()
	against := func(target, security string) plan.Trial {
		return plan.Trial{Spec: plan.Spec{Stack: "grpc-go", Kind: "unary", Connections: 1, InFlight: 1, Load: "closed",
			Target: target, Security: security, Network: "tcp", Compression: "none", Payload: "random", DeadlineNs: 10e9}}
	}
	const want = "grpc-go unary 0 B 1x1 closed against h:2 mtls needs --credentials, the folder of its keys"
	keys, err := new(replayFlags).keys([]plan.Trial{against("h:1", "plaintext"), against("h:2", "mtls")})
	if keys != nil || err == nil || err.Error() != want {
		t.Errorf("got %v, %v; want %q", keys, err, want)
	}
}

func TestAFileIsTrustedByAnyPathToIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		trusted, file string
		want          bool
	}{
		{"a.yaml", "a.yaml", true}, {"./a.yaml", "a.yaml", true}, {"x/../a.yaml", "a.yaml", true}, {"b.yaml", "a.yaml", false},
		{"-", "-", true}, {"-", "a.yaml", false}, {"./-", "-", false}, {"/dev/null", "/dev/null", true},
		{"", "a.yaml", false},
	} {
		if got := isTrusted(test.trusted, test.file); got != test.want {
			t.Errorf("--trust %s and %s: %v", test.trusted, test.file, got)
		}
	}
}

// The command of an error is for a shell, and for logs.
func TestACommandIsRetypedWithoutSecrets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typed []string
		want  string
	}{
		{[]string{"run", "my file.yaml", "--set", "rate=[1,2]"}, "rpcbench run 'my file.yaml' --set 'rate=[1,2]' --trust x"},
		{[]string{"conform", "--", "worker", "-v"}, "rpcbench conform --trust x -- worker -v"},
		{
			[]string{
				"load", "-d", "@a.json", "--data=@b.json", "-H", "k: v", "-H@h.txt", "--data={}", `-d{"a":1}`, "-z", "1s",
				"-duration=5s",
			},
			"rpcbench load -d @a.json --data=@b.json -H '…' -H@h.txt '--data=…' '-d…' -z 1s -duration=5s --trust x",
		},
	} {
		if got := retyped(test.typed, "--trust", "x"); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

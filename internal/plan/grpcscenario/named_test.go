package grpcscenario

import (
	"fmt"
	"os"
	"strings"
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"
)

// The original has as many for each language: 67 for C++ (one more of ours is in its sweeps), and one of Python's asyncio
// twice.
func TestTheListHasTheNamesOfTheOriginal(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for i, name := range Names() {
		if i > 0 && Names()[i-1] == name {
			t.Errorf("%s is there twice", name)
		}
		if _, ok := scenarioOf(name); !ok {
			t.Errorf("the rules make nothing of %s", name)
		}
		language, _, _ := strings.Cut(name, "_")
		switch {
		case strings.HasPrefix(name, "cpp_to_csharp"):
			language = "csharp"
		case strings.HasPrefix(name, "cpp_to_dotnet"):
			language = "dotnet"
		case strings.HasPrefix(name, "python_asyncio"):
			language = "python_asyncio"
		}
		counts[language]++
	}
	want := map[string]int{
		"cpp": 68, "csharp": 14, "dotnet": 14, "ruby": 7, "php7": 10, "java": 17, "python": 10, "python_asyncio": 22, "go": 13,
		"node": 13,
	}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("got %v\nwant %v", counts, want)
	}
}

// told is a scenario in short: calls and types, sizes each way, channels, calls on each, seconds of warm-up, server threads.
func told(s *testpb.Scenario) string {
	c, payload := s.GetClientConfig(), s.GetClientConfig().GetPayloadConfig()
	sizes := fmt.Sprintf("%d/%d", payload.GetSimpleParams().GetReqSize(), payload.GetSimpleParams().GetRespSize())
	if b := payload.GetBytebufParams(); b != nil {
		sizes = fmt.Sprintf("bytes %d/%d", b.GetReqSize(), b.GetRespSize())
	}
	secure := "insecure"
	if c.GetSecurityParams().GetUseTestCa() && s.GetServerConfig().GetSecurityParams().GetUseTestCa() {
		secure = "secure"
	}
	text := fmt.Sprintf("%v %v %v %s %dx%d %s %ds %d", c.GetRpcType(), c.GetClientType(), s.GetServerConfig().GetServerType(), sizes,
		c.GetClientChannels(), c.GetOutstandingRpcsPerChannel(), secure, s.GetWarmupSeconds(),
		s.GetServerConfig().GetAsyncServerThreads())
	if p := c.GetLoadParams().GetPoisson(); p != nil {
		text += fmt.Sprintf(" %v/s", p.GetOfferedLoad())
	}
	if n := c.GetMessagesPerStream(); n > 0 {
		text += fmt.Sprintf(" %d per stream", n)
	}
	return text
}

func TestANameSaysWhatIsMeasured(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/named.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if s, ok := scenarioOf(name); !ok || told(s) != want {
			t.Errorf("%s:\ngot  %v %s\nwant %s", name, ok, told(s), want)
		}
	}
	for _, name := range []string{
		"", "go", "go_protobuf", "go_protobuf_sync_unary_ping_pong_secured", "fortran_protobuf_sync_unary_ping_pong_secure",
		"cpp_protobuf_sync_unary_qps_unconstrained_secure_0b", "cpp_protobuf_sync_unary_qps_unconstrained_99999999999b",
		"go_protobuf_sync_unary_ping_pong_secure_",
	} {
		if s, ok := scenarioOf(name); ok {
			t.Errorf("%s is %s", name, told(s))
		}
	}
}

package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/rest"
	client "k8s.io/client-go/tools/remotecommand"
	codes "k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
	"sigs.k8s.io/yaml"

	"rpcbench/internal/run/launch"
)

// documents are the manifests of the manual.
func documents(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/kubernetes.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for block := range strings.SplitSeq(string(text), "```yaml\n") {
		block, _, _ = strings.Cut(block, "```")
		found = append(found, strings.Split(block, "---\n")...)
	}
	return found[1:] // what comes before the first block is none
}

// manifest reads one of the manual's, every field of which must be one of Kubernetes.
func manifest[T any](t *testing.T, kind string) *T {
	t.Helper()
	for _, text := range documents(t) {
		if strings.Contains(text, "\nkind: "+kind+"\n") {
			made := new(T)
			if err := yaml.UnmarshalStrict([]byte(text), made); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			return made
		}
	}
	t.Fatalf("the manual has no %s", kind)
	return nil
}

// An apiServer serves the fake over HTTP, to clients that have the manual's Role and no other.
type apiServer struct {
	fake *fake
	role *rbacv1.Role
	old  bool // speaks no WebSocket

	mu   sync.Mutex
	used map[string]bool // "get pods/exec"
}

// allowed reports whether the Role has a right, and records its use.
func (s *apiServer) allowed(verb, group, resource string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[verb+" "+resource] = true
	return slices.ContainsFunc(s.role.Rules, func(r rbacv1.PolicyRule) bool {
		return slices.Contains(r.APIGroups, group) && slices.Contains(r.Resources, resource) && slices.Contains(r.Verbs, verb)
	})
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	group, path := "", strings.TrimPrefix(r.URL.Path, "/api/v1/namespaces/"+space+"/")
	if rest, ok := strings.CutPrefix(r.URL.Path, "/apis/batch/v1/namespaces/"+space+"/"); ok {
		group, path = "batch", rest
	}
	words := strings.Split(path, "/")
	verb := map[string]string{"POST": "create", "GET": "get", "PATCH": "patch", "DELETE": "delete"}[r.Method]
	resource, name := words[0], ""
	if len(words) > 1 {
		name = words[1]
	} else if verb == "get" {
		verb = "list"
	}
	if len(words) > 2 {
		resource += "/" + words[2]
	}
	if !s.allowed(verb, group, resource) {
		answer(w, nil, apierrors.NewForbidden(corev1.Resource(resource), name, io.EOF))
		return
	}
	if strings.HasSuffix(resource, "/exec") {
		s.exec(w, r, name)
		return
	}
	object, err := s.do(r, verb, resource, name)
	answer(w, object, err)
}

func (s *apiServer) do(r *http.Request, verb, resource, name string) (any, error) {
	c := s.fake.cluster()
	body, _ := io.ReadAll(r.Body)
	switch verb + " " + resource {
	case "create pods":
		pod := new(corev1.Pod)
		_ = json.Unmarshal(body, pod)
		return c.pods.Create(r.Context(), pod, metav1.CreateOptions{})
	case "get pods":
		return c.pods.Get(r.Context(), name, metav1.GetOptions{})
	case "list pods":
		return c.pods.List(r.Context(), metav1.ListOptions{LabelSelector: r.URL.Query().Get("labelSelector")})
	case "delete pods":
		return nil, c.pods.Delete(r.Context(), name, metav1.DeleteOptions{})
	case "create jobs":
		job := new(batchv1.Job)
		_ = json.Unmarshal(body, job)
		return c.jobs.Create(r.Context(), job, metav1.CreateOptions{})
	case "patch jobs":
		return c.jobs.Patch(r.Context(), name, types.PatchType(r.Header.Get("Content-Type")), body, metav1.PatchOptions{})
	case "delete jobs":
		return nil, c.jobs.Delete(r.Context(), name, metav1.DeleteOptions{})
	default:
		return nil, apierrors.NewMethodNotSupported(corev1.Resource(resource), verb)
	}
}

func answer(w http.ResponseWriter, object any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if status, refused := err.(apierrors.APIStatus); refused {
		said := status.Status()
		said.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		w.WriteHeader(int(said.Code))
		object = said
	} else if object == nil {
		object = metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess}
	}
	if err := json.NewEncoder(w).Encode(object); err != nil {
		panic(err) // one of Kubernetes can be encoded
	}
}

func (s *apiServer) exec(w http.ResponseWriter, r *http.Request, pod string) {
	command := r.URL.Query()["command"]
	if websocket.IsWebSocketUpgrade(r) {
		if s.old {
			http.Error(w, "no WebSocket", http.StatusBadRequest)
			return
		}
		s.overSocket(w, r, pod, command)
		return
	}
	s.overSPDY(w, r, pod, command)
}

// The numbers of the streams of v5.channel.k8s.io, whose CLOSE is 255 and the number.
const (
	stdinChannel, stdoutChannel, stderrChannel, errorChannel = 0, 1, 2, 3

	closeSignal = 255
)

// A channel is a stream to the client within a WebSocket.
type channel struct {
	conn   *websocket.Conn
	mu     *sync.Mutex
	number byte
}

func (c channel) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(b), c.conn.WriteMessage(websocket.BinaryMessage, append([]byte{c.number}, b...))
}

func (s *apiServer) overSocket(w http.ResponseWriter, r *http.Request, pod string, command []string) {
	conn, err := (&websocket.Upgrader{Subprotocols: []string{remotecommand.StreamProtocolV5Name}}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	stdin, in := io.Pipe()
	go func() {
		defer in.Close()
		for {
			_, message, err := conn.ReadMessage()
			switch {
			case err != nil || bytes.Equal(message, []byte{closeSignal, stdinChannel}):
				in.Close()
				if err != nil {
					return
				}
			case message[0] == stdinChannel:
				_, _ = in.Write(message[1:])
			}
		}
	}()
	writing := new(sync.Mutex)
	err = s.fake.exec(r.Context(), pod, command, client.StreamOptions{
		Stdin: stdin, Stdout: channel{conn, writing, stdoutChannel}, Stderr: channel{conn, writing, stderrChannel},
	})
	_, _ = channel{conn, writing, errorChannel}.Write(statusOf(err))
	_ = conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""))
}

func (s *apiServer) overSPDY(w http.ResponseWriter, r *http.Request, pod string, command []string) {
	if _, err := httpstream.Handshake(r, w, []string{remotecommand.StreamProtocolV4Name}); err != nil {
		return
	}
	opened := make(chan httpstream.Stream, 4)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
		opened <- s
		return nil
	})
	if conn == nil {
		return
	}
	defer conn.Close()
	streams := map[string]httpstream.Stream{}
	for range 1 + strings.Count(r.URL.RawQuery, "=true") { // standard ones that are asked for, and that of the status
		stream := <-opened
		streams[stream.Headers().Get(corev1.StreamType)] = stream
	}
	options := client.StreamOptions{Stdout: streams[corev1.StreamTypeStdout], Stderr: streams[corev1.StreamTypeStderr]}
	if in, ok := streams[corev1.StreamTypeStdin]; ok {
		options.Stdin = in
	}
	err := s.fake.exec(r.Context(), pod, command, options)
	_, _ = streams[corev1.StreamTypeError].Write(statusOf(err))
	for _, stream := range streams {
		stream.Close()
	}
	<-conn.CloseChan() // what was written is read by then
}

// statusOf is how an API server says how a command ended.
func statusOf(err error) []byte {
	said := metav1.Status{Status: metav1.StatusSuccess}
	if code, failed := err.(codes.CodeExitError); failed { //nolint:errorlint // the fake wraps none
		said = metav1.Status{Status: metav1.StatusFailure, Reason: remotecommand.NonZeroExitCodeReason, Details: &metav1.StatusDetails{
			Causes: []metav1.StatusCause{{Type: remotecommand.ExitCodeCauseType, Message: string(rune('0' + code.Code))}},
		}}
	}
	text, err := json.Marshal(said)
	if err != nil {
		panic(err) // as in answer
	}
	return text
}

// This tests the client of a real API server, as far as HTTP goes: paths, encodings, streams and rights.
func TestTheManualsRoleIsEnoughAndNotTooMuch(t *testing.T) {
	t.Parallel()
	role := manifest[rbacv1.Role](t, "Role")
	used := map[string]bool{}
	for _, old := range []bool{false, true} {
		s := &apiServer{fake: newFake(t), role: role, old: old, used: map[string]bool{}}
		serve(t, s)
		for right := range s.used {
			used[right] = true
		}
	}
	for _, rule := range role.Rules {
		for _, resource := range rule.Resources {
			for _, verb := range rule.Verbs {
				if !used[verb+" "+resource] {
					t.Errorf("the Role has %s %s, which is not used", verb, resource)
				}
			}
		}
	}
}

// serve does what a run does with an API server.
func serve(t *testing.T, s *apiServer) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	p := s.fake.pool()
	p.connect = func(Spec) (*cluster, error) { return newCluster(&rest.Config{Host: server.URL, QPS: -1}, space) }
	h, err := p.Prepare(t.Context(), "pool-1", 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w, err := launch.Start(t.Context(), h, launch.Order{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || w.LastWords() != "obeying" {
			t.Errorf("%v, last words %q", err, w.LastWords())
		}
	}
	s.fake.worker = func(_ context.Context, _ string, o client.StreamOptions) error {
		_, _ = io.WriteString(o.Stderr, "a problem\n")
		return codes.CodeExitError{Code: 3, Err: io.EOF}
	}
	failing, err := h.Launch(t.Context(), launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	wantSentence(t, failing.Wait(), "exit status 3: a problem")
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if pods, jobs := s.fake.there(t); len(pods)+len(jobs) != 0 {
		t.Errorf("%d Pods and %d Jobs are left", len(pods), len(jobs))
	}
}

func TestTheManualsManifestsAreKubernetes(t *testing.T) {
	t.Parallel()
	account, binding := manifest[corev1.ServiceAccount](t, "ServiceAccount"), manifest[rbacv1.RoleBinding](t, "RoleBinding")
	role, namespace := manifest[rbacv1.Role](t, "Role"), manifest[corev1.Namespace](t, "Namespace")
	if binding.RoleRef.Name != role.Name || binding.Subjects[0].Name != account.Name || role.Namespace != namespace.Name ||
		namespace.Labels["pod-security.kubernetes.io/enforce"] != "restricted" {
		t.Errorf("%+v binds %s to %s in %s", binding, role.Name, account.Name, namespace.Name)
	}
	job := manifest[batchv1.Job](t, "Job")
	spec, ours := job.Spec.Template.Spec, made(Spec{Image: "i"}).Spec
	c, our := spec.Containers[0], ours.Containers[0]
	if !*spec.SecurityContext.RunAsNonRoot || spec.SecurityContext.SeccompProfile.Type != ours.SecurityContext.SeccompProfile.Type ||
		*c.SecurityContext.AllowPrivilegeEscalation ||
		!slices.Equal(c.SecurityContext.Capabilities.Drop, our.SecurityContext.Capabilities.Drop) {
		t.Errorf("the Job is not restricted: %+v", spec)
	}
}

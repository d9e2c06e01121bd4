package recipe_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"rpcbench/internal/call/recipe"
)

// A pipe, such as a shell's <(…), gives its token once.
func TestATokenOfAPipeIsKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(path, []byte("sesame\n"), 0) }()
	r, err := recipe.Resolve(t.Context(), nil, recipe.Config{
		Call: "shop.v1.Orders/Place", Protos: []string{"shop/v1/shop.proto"}, ImportPaths: []string{"../schema/testdata"},
		Message: recipe.Message{TokenFile: path},
	})
	if err != nil || <-written != nil {
		t.Fatal(err)
	}
	if r.Token != "sesame" || r.TokenSource() != nil {
		t.Errorf("the token is %q, and is read again: %v", r.Token, r.TokenSource() != nil)
	}
}

package node

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// TestProvidersOf: a machine offers what it can use: no program, login, key or server that is missing.
func TestProvidersOf(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.NotFoundHandler())
	defer model.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/config.md", fmt.Sprintf(`---
defaults: {provider: shell, main_branch: main}
providers:
  here: {api: ollama, endpoint: %q}
  there: {api: openai, endpoint: %q, key_env: NO_SUCH_KEY}
  keyed: {api: openai, endpoint: %q, key_env: A_KEY}
  ollama: {endpoint: %q}
---
`, model.URL, model.URL, gone.URL, gone.URL))
	enginetest.Write(t, dir, ".chant/providers/own.md", "---\nlike: claude\ncommand: ./agent.sh\n---\n")
	enginetest.Write(t, dir, ".chant/providers/lost.md", "---\nlike: claude\ncommand: ./none.sh\n---\n")
	if err := os.WriteFile(filepath.Join(dir, "agent.sh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := engine.Open(dir, engine.Options{Environ: []string{"HOME=" + t.TempDir(), "PATH=/none", "A_KEY=x"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := providersOf(t.Context(), p), []string{"here", "keyed", "own", "shell"}; !slices.Equal(got, want) {
		t.Errorf("providers %q, want %q", got, want)
	}
}

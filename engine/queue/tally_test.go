package queue

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
)

// What a spec waits for follows the word "for".
func TestBlockersText(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	front := "---\nstatus: pending\n"
	enginetest.Write(t, dir, ".chant/specs/"+numbered(1)+".md", front+"approval: {required: true, status: pending}\n---\n# One\n")
	enginetest.Write(t, dir, ".chant/specs/"+numbered(2)+".md", front+"approval: {required: true, status: approved, hash: other}\n---\n# Two\n")
	enginetest.Write(t, dir, ".chant/specs/"+numbered(3)+".md", front+"depends_on: ["+numbered(1)+"]\n---\n# Three\n")
	p, err := engine.Open(dir, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, g, err := engine.Graph(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{
		1: "approval", 2: "a decision: it " + spec.Hold{Kind: spec.HeldByEdit}.String(), 3: numbered(1) + " (pending)",
	} {
		if got := blockersText(g, numbered(n)); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

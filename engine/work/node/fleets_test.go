package node_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/work/node/fleetstest"
	"chant/engine/work/node/leader"
	"chant/engine/work/node/worker"
)

func id(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// chained returns n specs, each of which depends on the one before and leaves a file.
func chained(n int) map[string]string {
	files := map[string]string{".chant/config.md": "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: off\n---\n"}
	for i := 1; i <= n; i++ {
		front := "status: pending\n"
		if i > 1 && i%2 == 0 {
			front += "depends_on: [" + id(i-1) + "]\n"
		}
		files[".chant/specs/"+id(i)+".md"] = fmt.Sprintf("---\n%s---\n# Spec %d\n\n## Script\n\n```sh\necho %d > f%d.txt\n```\n\n## Acceptance Criteria\n\n- [ ] It is there `$ test -s f%d.txt`\n", front, i, i, i, i)
	}
	return files
}

// TestFleet: two workers and a leader land every spec once, dependents after what they depend on, and leave no branch and
// no claim.
func TestFleet(t *testing.T) {
	t.Parallel()
	const specs = 6
	f := fleetstest.NewFleet(t, chained(specs))
	b := fleetstest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{}, 3)
	changes, err := b.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	lp, lr := f.Clone()
	go func() {
		(&leader.Leader{P: lp, Remote: lr, Broker: b, Name: "hub"}).Run(ctx)
		done <- struct{}{}
	}()
	for i := range 2 {
		p, r := f.Clone()
		go func() {
			r.Light = true
			(&worker.Worker{P: p, Remote: r, Broker: b, Node: fleet.Node{Name: fmt.Sprintf("w%d", i), Slots: 2, Providers: []string{"shell"}}}).Run(ctx, nil)
			done <- struct{}{}
		}()
	}
	landed := map[string]bool{}
	deadline := time.After(2 * time.Minute)
	for len(landed) < specs {
		select {
		case c := <-changes:
			if c.Kind == fleet.Landed {
				landed[c.ID] = true
			}
			if c.Kind == fleet.Refused {
				t.Errorf("%s was refused: %+v", c.ID, c.Outcome)
				cancel()
			}
		case <-deadline:
			t.Fatalf("landed %v; refs are\n%s", landed, f.Git("for-each-ref"))
		case <-ctx.Done():
			t.Fatal("stopped")
		}
	}
	cancel()
	for range 3 {
		<-done
	}
	if got := f.Git("rev-list", "--merges", "--count", "main"); got != fmt.Sprint(specs) {
		t.Errorf("%s merges, want %d\n%s", got, specs, f.Git("log", "--oneline", "main"))
	}
	if refs := f.Git("for-each-ref", "--format=%(refname)"); strings.Contains(refs, "claims") || strings.Contains(refs, "heads/chant") {
		t.Errorf("refs are left:\n%s", refs)
	}
	dir := t.TempDir()
	enginetest.Git(t, dir, "clone", "-q", f.Bare, ".")
	for i := 1; i <= specs; i++ {
		if !strings.Contains(enginetest.Read(t, dir, ".chant/specs/"+id(i)+".md"), "status: completed") {
			t.Errorf("%s is not completed", id(i))
		}
	}
}

package author

import (
	"slices"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// TestAdd_runsOn: the labels of machines are in the new spec, can be replaced and removed, and are checked.
func TestAdd_runsOn(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	ctx := t.Context()
	added, err := Add(ctx, p, AddInput{Description: "Train the model", RunsOn: []string{"gpu", "linux/arm64"}})
	if err != nil {
		t.Fatal(err)
	}
	runsOn := func() []string {
		s, err := p.Store.Get(ctx, added.ID)
		if err != nil {
			t.Fatal(err)
		}
		return s.Fields.RunsOn
	}
	if got := runsOn(); !slices.Equal(got, []string{"gpu", "linux/arm64"}) {
		t.Errorf("runs on %q", got)
	}
	for _, want := range [][]string{{"cuda:12"}, {}} {
		if _, err := Update(ctx, p, UpdateInput{ID: added.ID, RunsOn: want}); err != nil {
			t.Fatal(err)
		}
		if got := runsOn(); !slices.Equal(got, want) {
			t.Errorf("runs on %q, want %q", got, want)
		}
	}
	if _, err = Add(ctx, p, AddInput{Description: "Train", RunsOn: []string{"a b"}}); enginetest.CodeOf(t, err) != engine.Invalid {
		t.Errorf("add: %v", err)
	}
	if _, err = Update(ctx, p, UpdateInput{ID: added.ID, RunsOn: []string{"a,b"}}); enginetest.CodeOf(t, err) != engine.Invalid {
		t.Errorf("update: %v", err)
	}
}

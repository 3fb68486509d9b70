package author

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestAdd_runsOn: the labels of machines are in the new spec, can be replaced and removed, and are checked.
func TestAdd_runsOn(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	ctx := t.Context()
	added, err := Add(ctx, p, AddInput{Description: "Train the model", RunsOn: []string{"gpu", "linux/arm64"}})
	assert.NoError(t, err)
	runsOn := func() []string {
		s, err := p.Store.Get(ctx, added.ID)
		assert.NoError(t, err)
		return s.Fields.RunsOn
	}
	assert.Equal(t, []string{"gpu", "linux/arm64"}, runsOn())
	for _, want := range [][]string{{"cuda:12"}, {}} {
		_, err := Update(ctx, p, UpdateInput{ID: added.ID, RunsOn: want})
		assert.NoError(t, err)
		assert.Equal(t, want, runsOn())
	}
	_, err = Add(ctx, p, AddInput{Description: "Train", RunsOn: []string{"a b"}})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err))
	_, err = Update(ctx, p, UpdateInput{ID: added.ID, RunsOn: []string{"a,b"}})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err))
}

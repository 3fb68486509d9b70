package gate

import (
	"testing"

	"chant/engine/enginetest"
	"chant/engine/run/attempt"

	"github.com/alecthomas/assert/v2"
)

// TestApplySettings: missing settings are added, those of a person are kept, and those of an older chant are replaced.
func TestApplySettings(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	want := MergeSettings("/opt/it's 100%/chant")
	assert.Equal(t, len(want), 2)
	assert.Equal(t, want[1].Key, driverKey)
	assert.Contains(t, want[1].Value, `'/opt/it'\''s 100%%/chant'`)
	plain := MergeSettings("")
	assert.NotContains(t, plain[1].Value, "''", "without a program")
	assert.HasPrefix(t, plain[1].Value, driverText+";", "without a program")
	get := func() string { return enginetest.Git(t, dir, "config", "--get", driverKey) }
	for _, c := range []struct {
		name, have, now string
		made, left      int
	}{
		{"nothing there", "", want[1].Value, 2, 0},
		{"ours, as it is today", want[1].Value, want[1].Value, 0, 2},
		{"ours, with another program", MergeSettings("/old/chant")[1].Value, want[1].Value, 0, 2},
		{"ours, of the first version", driverOnce, want[1].Value, 0, 2},
		{"a person's own", "my-driver %A", "my-driver %A", 0, 2},
	} {
		if c.have != "" {
			enginetest.Git(t, dir, "config", driverKey, c.have)
		}
		made, left, err := ApplySettings(t.Context(), p.Repo, want)
		assert.NoError(t, err, "%v %v %v", c.name, made, left)
		assert.Equal(t, c.made, len(made), "%v %v %v", c.name, made, left)
		assert.Equal(t, c.left, len(left), "%v %v %v", c.name, made, left)
		assert.Equal(t, c.now, get(), "%v %v %v", c.name, made, left)
	}
	assert.False(t, (gitSetting{"user.name", "x"}).isOutdated(driverOnce), "a value of another key is outdated")
	n := notesSetting()
	assert.Equal(t, attempt.NotesRef+"*", n.Value, "%+v", n)
}

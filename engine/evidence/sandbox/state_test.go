package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

// TestDecide: each reason why there is no wall, and what a person reads.
func TestDecide(t *testing.T) {
	t.Parallel()
	system := wall.State{Available: true, Name: "Landlock ABI 7"}
	older := wall.State{Available: true, Name: "Landlock ABI 3", Open: []string{"TCP ports (Linux 6.7)", "signals"}}
	absent := wall.State{Why: "this kernel was built without Landlock"}
	for name, c := range map[string]struct {
		mode     config.SandboxMode
		system   wall.State
		reftable bool
		prefix   string
		want     string
	}{
		"auto":                    {config.SandboxAuto, system, false, "chant/", "on (Landlock ABI 7)"},
		"on":                      {config.SandboxOn, system, false, "chant/", "on (Landlock ABI 7)"},
		"off":                     {config.SandboxOff, system, false, "chant/", "off: turned off by the settings or by CHANT_SANDBOX"},
		"an older kernel":         {config.SandboxAuto, older, false, "chant/", "on (Landlock ABI 3), except TCP ports (Linux 6.7), signals"},
		"no Landlock":             {config.SandboxAuto, absent, false, "chant/", "off: this kernel was built without Landlock"},
		"reftable":                {config.SandboxAuto, system, true, "chant/", "off: this repository keeps all refs in one file (reftable)"},
		"branches without folder": {config.SandboxAuto, system, false, "run-", `off: the branches of runs have no folder of their own (defaults.branch_prefix is "run-")`},
		"no prefix":               {config.SandboxAuto, system, false, "", "off: the branches of runs have no folder"},
		"a deep folder":           {config.SandboxAuto, system, false, "a/b/c-", "on (Landlock ABI 7)"},
		"off before all":          {config.SandboxOff, absent, true, "run-", "off: turned off"},
	} {
		got := decideState(c.mode, c.system, c.reftable, c.prefix)
		assert.HasPrefix(t, got.String(), c.want, "%s", name)
		assert.Equal(t, c.mode, got.Mode, "%s", name)
		assert.Equal(t, strings.HasPrefix(c.want, "on"), got.InForce, "%s", name)
		assert.NotEqual(t, got.Why != "", got.InForce, "%s", name)
		err := got.Required()
		assert.Equal(t, c.mode == config.SandboxOn && !got.InForce, err != nil, "%s: required", name)
	}
}

// TestRequired: the error of a run names the reason and the page of the manual.
func TestRequired(t *testing.T) {
	t.Parallel()
	err := decideState(config.SandboxOn, wall.State{Why: "no kernel"}, false, "chant/").Required()
	failure, ok := errors.AsType[*journal.Failure](err)
	assert.True(t, ok, "%+v", err)
	assert.Equal(t, spec.ReasonSetup, failure.Kind, "%+v", err)
	assert.HasSuffix(t, failure.Message, ": no kernel", "%+v", err)
	assert.Equal(t, "chant guide trust", failure.Next.String(), "%+v", err)
}

// TestState_variable: CHANT_SANDBOX replaces the mode of the settings; a wrong word never means that there is no wall.
func TestState_variable(t *testing.T) {
	t.Parallel()
	there := wall.Supported().Available
	for name, c := range map[string]struct {
		mode     config.SandboxMode
		variable string
		want     config.SandboxMode
		inForce  bool
		fails    bool
	}{
		"unset":      {config.SandboxAuto, "", config.SandboxAuto, there, false},
		"off":        {config.SandboxOn, "off", config.SandboxOff, false, false},
		"on":         {config.SandboxOff, "on", config.SandboxOn, there, !there},
		"auto":       {config.SandboxOff, "auto", config.SandboxAuto, there, false},
		"wrong":      {config.SandboxOff, "no", config.SandboxOn, false, true},
		"upper case": {config.SandboxAuto, "OFF", config.SandboxOn, false, true},
	} {
		f := newFixture(t, config.SandboxConfig{Mode: c.mode}, "chant/", ModeKey+"="+c.variable)
		s := f.State()
		assert.Equal(t, c.want, s.Mode, "%s", name)
		assert.Equal(t, c.inForce, s.InForce, "%s", name)
		_, err := f.ForAgent(f.tree, f.state)
		assert.Equal(t, c.fails, err != nil, "%s: an agent", name)
		_, err = f.ForCriteria(f.check)
		assert.Equal(t, c.fails, err != nil, "%s: criteria", name)
	}
}

// TestExplain names what was refused and the setting that allows it.
func TestExplain(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	settings := filepath.Join(f.Repo.CommonDir(), "config")
	kept := fmt.Sprintf("EACCES: %q is not for agents and criteria, and no setting should allow it", settings)
	for want, paths := range map[string][]string{
		"":   nil,
		kept: {settings},
		`EACCES: "/a" is outside of the run; allow it with sandbox.write; ` + kept:                {settings, "/a"},
		`EACCES: "/a" is outside of the run; allow it with sandbox.write`:                         {"/a"},
		`EACCES: "/a", "/b" are outside of the run; allow it with sandbox.write`:                  {"/a", "/b"},
		`EACCES: "/a", "/b", "/c" and 2 more are outside of the run; allow it with sandbox.write`: {"/a", "/b", "/c", "/d", "/e"},
		"EACCES: \"/a b\\n\" is outside of the run; allow it with sandbox.write":                  {"/a b\n"},
	} {
		assert.Equal(t, want, f.Explain(paths, "sandbox.write"), "%q", paths)
	}
}

// TestRefused: only paths that the wall keeps from a program are named, not those that the user could not write to
// either.
func TestRefused(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	b, err := f.ForAgent(f.tree, f.state)
	assert.NoError(t, err)
	output := "touch: cannot touch '" + f.home + "/x': Permission denied\n" +
		"touch: cannot touch '" + f.tree + "/x': Permission denied\n" +
		"touch: cannot touch '/no/such/folder/x': Permission denied\nall is well\n"
	want := []string{f.home + "/x"}
	if os.Getuid() == 0 {
		want = append(want, "/no/such/folder/x") // root could make the folders, too
	}
	assert.Equal(t, want, b.Refused(output))
}

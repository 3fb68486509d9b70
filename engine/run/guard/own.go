package guard

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/format/hooks"
	"chant/engine/run/attempt"
	"chant/engine/store"
	"chant/gitops"
)

// separateOwn removes from changes those that chant's own commands have made, and returns them as own: a person installs hooks or
// trusts a key while runs work. Where the journal of those commands has no seals, it is believed about keys and about what
// chant removes; everything else must be, to the byte, what chant writes.
func separateOwn(g *Guard, changes []string, b, was journal.Before) (others, own []string, err error) {
	if len(changes) == 0 {
		return nil, nil, nil
	}
	// The secret of when the run began: a key that is new seals what its maker likes.
	secret, err := g.Journal.Secret()
	if err != nil {
		return nil, nil, err
	}
	said, err := journal.ReadOwn(g.Store, secret)
	if err != nil {
		return nil, nil, err
	}
	for _, what := range changes {
		name := changedThing(what)
		before, now := valueIn(was, name), valueIn(b, name)
		told, there := said[name]
		switch {
		// Without seals an agent can write the record, so only keys and removals are believed, which give it nothing.
		case isOwnText(g, name, b, was), there && told == journal.OwnValue(name, now) && before != now && (secret != nil || isForCommands(name, now)):
			own = append(own, what+" by a command of chant")
		default:
			others = append(others, what)
		}
	}
	return others, own, nil
}

// changedThing returns what a description of a change is about.
func changedThing(what string) string {
	for _, how := range []string{" was changed in home", " was added", " was changed", " was removed"} {
		if name, is := strings.CutSuffix(what, how); is {
			return name
		}
	}
	return what
}

// valueIn returns the value of a thing in a reading, "" if it is not there.
func valueIn(b journal.Before, name string) string {
	for _, read := range []map[string]string{b.Programs, b.Kept, b.Home} {
		if value, there := read[name]; there {
			return value
		}
	}
	return ""
}

// isForCommands reports whether chant's commands are believed about a thing without a seal.
func isForCommands(name, now string) bool {
	switch {
	case name == journal.MachineKey, strings.HasPrefix(name, store.KeysDir+"/"):
		return true
	case strings.HasPrefix(name, `git hook "`), name == settingOf(hooks.DriverKey), name == settingOf(hooks.DriverName):
		return now == ""
	}
	return name == settingOf(rewriteKey)
}

// settingOf names a setting of git as its reading does.
func settingOf(key string) string { return `git setting "` + strings.ToLower(key) + `"` }

// rewriteKey is the setting by which git copies evidence when it rewrites commits.
const rewriteKey = "notes.rewriteRef"

// isOwnText reports whether a thing is now exactly what chant makes of it.
func isOwnText(g *Guard, name string, b, was journal.Before) bool {
	if hook, is := strings.CutPrefix(name, `git hook "`); is {
		return isOwnHook(g, strings.TrimSuffix(hook, `"`), b.Programs, was.Programs)
	}
	now := valueIn(b, name)
	switch name {
	case settingOf(hooks.DriverKey):
		return now == "\n"+hooks.MergeDriver(g.Chant)
	case settingOf(hooks.DriverName):
		return now == digest([]byte("\n"+hooks.DriverTitle))
	case settingOf(rewriteKey):
		return now == digest([]byte("\n"+attempt.NotesRef+"*"))
	}
	return false
}

// isOwnHook reports whether a hook has, beside what it had, nothing but the lines of chant, or has lost those alone.
func isOwnHook(g *Guard, name string, now, was map[string]string) bool {
	what := func(name string) string { return `git hook "` + name + `"` }
	if orig, aside := strings.CutSuffix(name, hooks.AsideName("")); aside && was[what(name)] == "" {
		// It was moved aside for the hook of chant.
		return now[what(name)] == was[what(orig)] && isOwnHook(g, orig, now, was)
	}
	folder := filepath.Join(g.Repo.CommonDir(), "hooks")
	src, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return false
	}
	info, err := os.Stat(filepath.Join(folder, name))
	if err != nil {
		return false
	}
	// The hook only starts this script, whose content decides what runs.
	script, err := os.ReadFile(filepath.Join(g.Repo.CommonDir(), "chant", "hook"))
	if err != nil || !bytes.Equal(script, hooks.Script(filepath.ToSlash(g.Chant))) {
		// The lines of the hook would run something else.
		return false
	}
	rest, ours := hooks.Strip(src)
	switch {
	case !ours:
		return false
	case rest != nil:
		// Compared to the byte, so that nothing hides between the lines of chant.
		return bytes.Equal(src, hooks.Insert(rest, name)) && gitops.HookDigest(rest, info.Mode()) == was[what(name)]
	case was[what(name)] == "":
		return bytes.Equal(src, hooks.OwnHook(name, nil))
	}
	aside, err := os.ReadFile(filepath.Join(folder, hooks.AsideName(name)))
	return err == nil && bytes.Equal(src, hooks.OwnHook(name, aside)) && was[what(name)] == now[what(hooks.AsideName(name))]
}

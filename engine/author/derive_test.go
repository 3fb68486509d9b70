package author

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

const derivedSettings = `---
defaults: {provider: shell}
enterprise:
  required: [ticket]
  derived:
    ticket: {from: branch, pattern: '^feature/([A-Z]+-[0-9]+)'}
    team: {from: env, pattern: TEAM, validate: {type: enum, values: [core, web]}}
    labels: {from: git_user, pattern: name}
    owner: {from: git_user, pattern: email}
    year: {from: path, pattern: '([0-9]{4})-'}
    none: {from: path, pattern: '(zzz)'}
---
`

// deriving returns a project on a feature branch, with a variable set.
func deriving(t *testing.T, env ...string) (*engine.Project, string) {
	t.Helper()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/config.md", derivedSettings)
	enginetest.Git(t, dir, "switch", "-q", "-c", "feature/ABC-12-more")
	p, err := engine.Open(dir, engine.Options{Environ: env})
	assert.NoError(t, err)
	return p, dir
}

func TestDerive_onAdd(t *testing.T) {
	t.Parallel()
	p, _ := deriving(t, "TEAM=core")
	added, err := Add(t.Context(), p, AddInput{Description: "A", Labels: []string{"mine"}})
	assert.NoError(t, err)
	src, err := Source(t.Context(), p, added.ID)
	assert.NoError(t, err)
	text := string(src.Text)
	for _, want := range []string{"ticket: ABC-12\n", "team: core\n", "owner: ada@example.com\n", "year: \"" + added.ID[:4] + "\"\n"} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "none", "%v", added.Derived)
	assert.NotContains(t, text, "Ada\n", "%v", added.Derived)
	assert.Contains(t, text, "mine", "%v", added.Derived)
	assert.Equal(t, 4, len(added.Derived), "%v", added.Derived)
}

func TestDerive_neverOverwrites(t *testing.T) {
	t.Parallel()
	p, dir := deriving(t, "TEAM=elsewhere", "TEAM=other")
	ctx := t.Context()
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nticket: MINE-1 # by hand\nteam: \"\"\nderived_fields: ticket\n---\n# A\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-002-def.md", "# B\n")
	dry, err := Derive(ctx, p, DeriveInput{All: true, DryRun: true})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(dry.Specs))
	assert.Equal(t, "", dry.Specs[0].Commit)
	assert.Equal(t, 2, len(dry.Warnings))
	assert.Contains(t, dry.Warnings[0], `team is "other"`)
	if src, err := Source(ctx, p, "002"); err != nil || string(src.Text) != "# B\n" {
		t.Errorf("a dry run writes %q, %v", src.Text, err)
	}
	got, err := Derive(ctx, p, DeriveInput{ID: "001"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(got.Specs))
	assert.NotEqual(t, "", got.Specs[0].Commit)
	assert.Equal(t, "", got.Specs[0].Fields["ticket"])
	src, err := Source(ctx, p, "001")
	text := string(src.Text)
	assert.NoError(t, err)
	assert.Contains(t, text, "ticket: MINE-1 # by hand\nteam: \"other\"\n")
	assert.Contains(t, text, "labels:")
	again, err := Derive(ctx, p, DeriveInput{ID: "001"})
	assert.NoError(t, err, "a second time: %+v", again)
	assert.Zero(t, again.Specs, "a second time: %+v", again)
	for _, in := range []DeriveInput{{}, {ID: "001", All: true}} {
		_, err := Derive(ctx, p, in)
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%+v", in)
	}
}

func TestDerive_holdsNoSecret(t *testing.T) {
	t.Parallel()
	p, _ := deriving(t, "TEAM=ghp_0123456789")
	added, err := Add(t.Context(), p, AddInput{Description: "A"})
	assert.NoError(t, err)
	assert.Equal(t, "", added.Derived["team"])
	for _, value := range []string{"a\nb: c", "\x1b[31m", strings.Repeat("x", maxDerived+1), "  "} {
		key := config.DerivedKey{From: config.FromEnv, Variable: "V"}
		assert.Equal(t, "", valueOf(key, "x", sourceValues{env: map[string]string{"V": value}}), "%q", value)
	}
}

func TestConfig_enterprise(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"derived: [a]":                                                  "config.md:3: enterprise.derived must map keys",
		"derived: {a: {from: moon}}":                                    `config.md:3: enterprise.derived.a: unknown source "moon"`,
		"derived: {a: {from: branch, pattern: 'x'}}":                    "has no group",
		"derived: {a: {from: branch, pattern: '('}}":                    "missing closing",
		"derived: {a: {from: env, pattern: 'A B'}}":                     "invalid environment variable name",
		"derived: {a: {from: env, pattern: GITHUB_TOKEN}}":              "looks like a secret",
		"derived: {a: {from: env, pattern: stripe_key}}":                "looks like a secret",
		"derived: {a: {from: env, pattern: DbPassword}}":                "looks like a secret",
		"derived: {a: {from: git_user, pattern: phone}}":                "is neither name nor email",
		"derived: {status: {from: env, pattern: A}}":                    `"status" cannot be derived`,
		"derived: {approval: {from: env, pattern: A}}":                  `"approval" cannot be derived`,
		"derived: {'a b': {from: env, pattern: A}}":                     `"a b" cannot be derived`,
		"derived: {a: {from: env, pattern: A, validate: {}}}":           "validate must be",
		"derived: {a: {from: env, pattern: A, validate: {type: enum}}}": "validate must be",
	} {
		dir := t.TempDir()
		enginetest.Write(t, dir, ".chant/config.md", "---\nenterprise:\n  "+text+"\n---\n")
		_, err := config.ReadConfig(dir, nil)
		assert.Error(t, err, "%s", text)
		assert.Contains(t, err.Error(), want, "%s", text)
	}
}

// TestValueOf returns what the settings name from each source, without values that cannot be intended.
func TestValueOf(t *testing.T) {
	t.Parallel()
	ticket := regexp.MustCompile(`^feature/([A-Z]+-[0-9]+)`)
	long := strings.Repeat("é", maxDerived)
	v := sourceValues{branch: "feature/ABC-12-more", name: "Ada", mail: "ada@example.com", env: map[string]string{"TEAM": " core ", "LINES": "a\nb", "LONG": long, "LONGER": long + "x", "NUL": "a\x00"}}
	for name, tc := range map[string]struct {
		key  config.DerivedKey
		of   sourceValues
		want string
	}{
		"branch":               {config.DerivedKey{From: config.FromBranchName, Pattern: ticket}, v, "ABC-12"},
		"another branch":       {config.DerivedKey{From: config.FromBranchName, Pattern: ticket}, sourceValues{branch: "main"}, ""},
		"no branch":            {config.DerivedKey{From: config.FromBranchName, Pattern: ticket}, sourceValues{}, ""},
		"a group without text": {config.DerivedKey{From: config.FromBranchName, Pattern: regexp.MustCompile(`^feature(x?)`)}, v, ""},
		"path":                 {config.DerivedKey{From: config.FromPath, Pattern: regexp.MustCompile(`specs/([0-9]{4})-`)}, v, "2026"},
		"variable":             {config.DerivedKey{From: config.FromEnv, Variable: "TEAM"}, v, "core"},
		"unset variable":       {config.DerivedKey{From: config.FromEnv, Variable: "NONE"}, v, ""},
		"two lines":            {config.DerivedKey{From: config.FromEnv, Variable: "LINES"}, v, ""},
		"a control byte":       {config.DerivedKey{From: config.FromEnv, Variable: "NUL"}, v, ""},
		"as long as allowed":   {config.DerivedKey{From: config.FromEnv, Variable: "LONG"}, v, long},
		"too long":             {config.DerivedKey{From: config.FromEnv, Variable: "LONGER"}, v, ""},
		"name":                 {config.DerivedKey{From: config.FromGitUser, Person: "name"}, v, "Ada"},
		"email":                {config.DerivedKey{From: config.FromGitUser, Person: "email"}, v, "ada@example.com"},
		"unknown to git":       {config.DerivedKey{From: config.FromGitUser, Person: "name"}, sourceValues{}, ""},
	} {
		assert.Equal(t, tc.want, valueOf(tc.key, "2026-01-02-001-abc", tc.of), "%s", name)
	}
}

// TestWithDerived writes keys in the order of the settings, lists as lists, and adds each name once to derived_fields.
func TestWithDerived(t *testing.T) {
	t.Parallel()
	keys := config.DerivedKeys{{Key: "ticket"}, {Key: "labels"}, {Key: "team", Values: []string{"core", "web"}}}
	doc, err := markdown.Parse("a.md", []byte("---\nstatus: pending\nderived_fields: [team]\n---\n# A\n"))
	assert.NoError(t, err)
	same, err := withDerived(doc, keys, nil)
	assert.NoError(t, err)
	assert.True(t, same == doc, "nothing derived: %v", err)
	fields := map[string]string{"team": "infra", "ticket": "A: 1", "labels": "x"}
	got, err := withDerived(doc, keys, fields)
	assert.NoError(t, err)
	s, err := spec.FromDocument("001", got)
	assert.NoError(t, err, "%s", got.Bytes())
	assert.True(t, slices.Equal(s.Fields.Labels, []string{"x"}), "%+v, %v\n%s", s.Fields, err, got.Bytes())
	assert.True(t, slices.Equal(s.Fields.Derived, []string{"team", "ticket", "labels"}), "%+v, %v\n%s", s.Fields, err, got.Bytes())
	if at := func(key string) int { return got.KeyLine(key) }; at("ticket") > at("labels") || at("labels") > at("team") {
		t.Errorf("not in the order of the settings:\n%s", got.Bytes())
	}
	outside := unlistedWarnings(keys, "001", fields)
	assert.Equal(t, 1, len(outside))
	assert.Equal(t, `spec "001": team is "infra", which is none of [core web]`, outside[0])
	assert.Zero(t, unlistedWarnings(keys, "001", map[string]string{"team": "web", "ticket": "x"}))
}

package author

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/markdown"
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
	cmd := exec.CommandContext(t.Context(), "git", "switch", "-q", "-c", "feature/ABC-12-more")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, err := engine.Open(dir, engine.Options{Environ: env})
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}

func TestDerive_onAdd(t *testing.T) {
	t.Parallel()
	p, _ := deriving(t, "TEAM=core")
	added, err := Add(t.Context(), p, AddInput{Description: "A", Labels: []string{"mine"}})
	if err != nil {
		t.Fatal(err)
	}
	src, err := Source(t.Context(), p, added.ID)
	if err != nil {
		t.Fatal(err)
	}
	text := string(src.Text)
	for _, want := range []string{"ticket: ABC-12\n", "team: core\n", "owner: ada@example.com\n", "year: \"" + added.ID[:4] + "\"\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "none") || strings.Contains(text, "Ada\n") || !strings.Contains(text, "mine") || len(added.Derived) != 4 {
		t.Errorf("%v\n%s", added.Derived, text)
	}
}

func TestDerive_neverOverwrites(t *testing.T) {
	t.Parallel()
	p, dir := deriving(t, "TEAM=elsewhere", "TEAM=other")
	ctx := t.Context()
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nticket: MINE-1 # by hand\nteam: \"\"\nderived_fields: ticket\n---\n# A\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-002-def.md", "# B\n")
	dry, err := Derive(ctx, p, DeriveInput{All: true, DryRun: true})
	if err != nil || len(dry.Specs) != 2 || dry.Specs[0].Commit != "" || len(dry.Warnings) != 2 || !strings.Contains(dry.Warnings[0], `team is "other"`) {
		t.Fatalf("%+v, %v", dry, err)
	}
	if src, err := Source(ctx, p, "002"); err != nil || string(src.Text) != "# B\n" {
		t.Errorf("a dry run writes %q, %v", src.Text, err)
	}
	got, err := Derive(ctx, p, DeriveInput{ID: "001"})
	if err != nil || len(got.Specs) != 1 || got.Specs[0].Commit == "" || got.Specs[0].Fields["ticket"] != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	src, err := Source(ctx, p, "001")
	if text := string(src.Text); err != nil || !strings.Contains(text, "ticket: MINE-1 # by hand\nteam: \"other\"\n") || !strings.Contains(text, "labels:") {
		t.Errorf("%s, %v", text, err)
	}
	if again, err := Derive(ctx, p, DeriveInput{ID: "001"}); err != nil || len(again.Specs) != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	for _, in := range []DeriveInput{{}, {ID: "001", All: true}} {
		if _, err := Derive(ctx, p, in); enginetest.CodeOf(t, err) != engine.Usage {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func TestDerive_holdsNoSecret(t *testing.T) {
	t.Parallel()
	p, _ := deriving(t, "TEAM=ghp_0123456789")
	added, err := Add(t.Context(), p, AddInput{Description: "A"})
	if err != nil || added.Derived["team"] != "" {
		t.Errorf("%+v, %v", added, err)
	}
	for _, value := range []string{"a\nb: c", "\x1b[31m", strings.Repeat("x", maxDerived+1), "  "} {
		key := config.DerivedKey{From: config.FromEnv, Variable: "V"}
		if got := valueOf(key, "x", sourceValues{env: map[string]string{"V": value}}); got != "" {
			t.Errorf("%q gives %q", value, got)
		}
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
		if _, err := config.ReadConfig(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
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
		if got := valueOf(tc.key, "2026-01-02-001-abc", tc.of); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// TestWithDerived writes keys in the order of the settings, lists as lists, and adds each name once to derived_fields.
func TestWithDerived(t *testing.T) {
	t.Parallel()
	keys := config.DerivedKeys{{Key: "ticket"}, {Key: "labels"}, {Key: "team", Values: []string{"core", "web"}}}
	doc, err := markdown.Parse("a.md", []byte("---\nstatus: pending\nderived_fields: [team]\n---\n# A\n"))
	if err != nil {
		t.Fatal(err)
	}
	if same, err := withDerived(doc, keys, nil); err != nil || same != doc {
		t.Errorf("nothing derived: %v", err)
	}
	fields := map[string]string{"team": "infra", "ticket": "A: 1", "labels": "x"}
	got, err := withDerived(doc, keys, fields)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.FromDocument("001", got)
	if err != nil || !slices.Equal(s.Fields.Labels, []string{"x"}) || !slices.Equal(s.Fields.Derived, []string{"team", "ticket", "labels"}) {
		t.Errorf("%+v, %v\n%s", s.Fields, err, got.Bytes())
	}
	if at := func(key string) int { return got.KeyLine(key) }; at("ticket") > at("labels") || at("labels") > at("team") {
		t.Errorf("not in the order of the settings:\n%s", got.Bytes())
	}
	outside := unlistedWarnings(keys, "001", fields)
	if len(outside) != 1 || outside[0] != `spec "001": team is "infra", which is none of [core web]` {
		t.Errorf("%q", outside)
	}
	if outside := unlistedWarnings(keys, "001", map[string]string{"team": "web", "ticket": "x"}); len(outside) > 0 {
		t.Errorf("%q", outside)
	}
}

package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func checks(t *testing.T, value string) (*Checks, error) {
	t.Helper()
	s, err := Parse("x", "x.md", []byte("---\nverify: "+value+"\n---\n# X\n"))
	if err != nil {
		return nil, err
	}
	return s.Fields.Verify, nil
}

func TestChecks_forms(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"make test":                                `[{make test}]`,
		"$ make test":                              `[{make test}]`,
		"[make lint, $ make test]":                 `[{make lint} {make test}]`,
		"{run: make test, name: tests}":            `[{make test tests}]`,
		"[{run: make, dir: a/b, timeout: 5m}]":     `[{make a/b 5m0s}]`,
		"{commands: make}":                         `[{make}]`,
		"{defaults: [make], protect: Makefile}":    `[{make}]`,
		"{commands: []}":                           `[]`,
		"":                                         `[]`,
		`{commands: [{run: make, retries: 0}]}`:    `[{make retries 0}]`,
		`{pass: [HTTP_TOKEN], env: {A: "1"}}`:      `[]`,
		"[{run: 'a: b', env: {X: $ cat version}}]": `[{a: b X=$ cat version}]`,
	} {
		c, err := checks(t, value)
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		var got []string
		if c != nil {
			for _, cmd := range c.Commands {
				got = append(got, spelled(cmd))
			}
		}
		assert.Equal(t, want, fmt.Sprint(got), "%s", value)
	}
}

func spelled(c Command) string {
	parts := []string{c.Run}
	if c.Name != "" {
		parts = append(parts, c.Name)
	}
	if c.Dir != "" {
		parts = append(parts, c.Dir)
	}
	if c.Timeout != 0 {
		parts = append(parts, time.Duration(c.Timeout).String())
	}
	if c.Retries != nil {
		parts = append(parts, fmt.Sprint("retries ", *c.Retries))
	}
	for k, v := range c.Env {
		parts = append(parts, k+"="+v)
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func TestChecks_refused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"['']":                             "a command of verify is empty",
		"$ ":                               "a command of verify is empty",
		"[{name: x}]":                      "a command of verify is empty",
		"{run: make, dir: ../..}":          `dir "../.." leaves the repository`,
		"{run: make, dir: /etc}":           `dir "/etc" leaves the repository`,
		"{dir: ..}":                        `dir ".." leaves the repository`,
		"{run: make, retries: 11}":         "retries is a number from 0 to 10",
		"{run: make, retries: -1}":         "retries is a number from 0 to 10",
		"{inputs: ['[web']}":               `inputs: "[web" is not a glob`,
		"{run: make, inputs: [a, ../b]}":   `inputs: "../b" leaves the repository`,
		"{inputs: [web, '!web/x']}":        `inputs: "!web/x" begins with "!": globs only add files`,
		"{timeout: soon}":                  `invalid duration "soon"`,
		"{prove: soon}":                    `invalid prove "soon" (use off, all, or a duration such as 30s or 5m)`,
		"{prove: -5s}":                     `invalid prove "-5s"`,
		"{prove: [all]}":                   `invalid prove ""`,
		"{prove_when: while}":              `invalid prove_when "while" (use before or after)`,
		"{timeout: 0s}":                    `invalid duration "0s"`,
		"{comands: [make]}":                `verify has no key "comands"`,
		"[{run: make, parallel: true}]":    `a command of verify has no key "parallel"`,
		"[[make]]":                         "a command of verify is a text, a list or a mapping",
		"{protect: ['[Makefile']}":         `protect: "[Makefile" is not a glob`,
		"{protect: [a, '../b']}":           `protect: "../b" leaves the repository`,
		"{protect: ['']}":                  `protect: "" is empty`,
		"{pass: [A_*, 'A=B']}":             `pass: invalid environment variable name "A=B"`,
		"{pass: [A, chant_timeout]}":       "pass: chant itself sets chant_timeout for each run",
		"{env: {CHANT_SPEC_ID: y}}":        "env: chant itself sets CHANT_SPEC_ID for each run",
		"[{run: a, env: {CHANT_X: y}}]":    "env: chant itself sets CHANT_X for each run",
		"{commands: [make], env: {'': x}}": `invalid environment variable name ""`,
	} {
		_, err := checks(t, value)
		var syntax *markdown.SyntaxError
		assert.Error(t, err, "%s", value)
		assert.Contains(t, err.Error(), want, "%s", value)
		assert.True(t, errors.As(err, &syntax), "%s: %v, want %q in line 2", value, err, want)
		assert.Equal(t, 2, syntax.Line, "%s", value)
	}
}

func TestCommandOptions_over(t *testing.T) {
	t.Parallel()
	yes, two := true, 2
	around := CommandOptions{Timeout: Span(time.Minute), Dir: "a", Env: map[string]string{"A": "1", "B": "1"}, Retries: &two}
	got := CommandOptions{Dir: "b", Env: map[string]string{"B": "2"}, Parallel: &yes}.WithDefaults(around)
	assert.Equal(t, Span(time.Minute), got.Timeout)
	assert.Equal(t, "b", got.Dir)
	assert.Equal(t, 2, *got.Retries)
	assert.True(t, *got.Parallel, "%+v", got)
	assert.Equal(t, map[string]string{"A": "1", "B": "2"}, got.Env)
	assert.Equal(t, "1", around.Env["B"], "what is around was changed")
	assert.Zero(t, around.Parallel, "what is around was changed")
	raw, err := json.Marshal(got)
	assert.NoError(t, err, "%s", raw)
	assert.Contains(t, string(raw), `"timeout":"1m0s"`)
}

func TestChecks_prove(t *testing.T) {
	t.Parallel()
	for text, off := range map[string]bool{"{}": true, "{prove: off}": true, "{prove: false}": true, "{prove: all}": false, "{prove: 30s, prove_when: before}": false} {
		c, err := checks(t, text)
		assert.NoError(t, err, "%s", text)
		assert.Equal(t, off, c.Prove.IsOff(), "%s", text)
	}
}

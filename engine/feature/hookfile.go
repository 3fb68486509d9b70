package feature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// This file reads .rstn/hooks.yaml and .rstn/hooks.json: commands of a project that have a name, such as lint,
// test and format.
//
// It is pure: it opens no file and runs nothing.
//
// Rules:
//
//   - A hook has a command, and may have a limit of time, a folder below the worktree, and variables.
//   - Hooks keep the order of the file.
//   - What cannot be read, a key that is unknown and a value of a wrong type are a *chant/markdown.SyntaxError with
//     file and line. An empty file has no hooks.
//   - Arguments reach a command as "$@" and are never part of its text. Where nothing can follow the command as its
//     argument, it takes none.
//
// Decisions:
//
// 2026-11-26: a broken file is an error. Rejected: taking it for a file without hooks, as rstn does, because a typing
// error then looks as if the project had no checks.
//
// 2026-11-26: an unknown key is an error as well. Rejected: skipping it, since a limit written as `timeout` would not
// limit anything.

// The files in which hooks are looked for, in this order: the first that exists counts.
const (
	HookYAML = ".rstn/hooks.yaml"
	JSON     = ".rstn/hooks.json"
)

// DefaultHookTimeout is the limit of a hook that has none.
const DefaultHookTimeout = 120 * time.Second

// maxTimeout is the longest limit, in seconds: a day.
const maxTimeout = 24 * 60 * 60

// Hook is a command with a name.
type Hook struct {
	Name    string
	Command string // for sh
	Timeout time.Duration
	Dir     string   // below the worktree, with slashes; "" for its top
	Env     []string // K=V, in the order of the file
}

// ParseHooks reads a file of hooks; path is its name in errors, and decides between YAML and JSON. Errors:
// *markdown.SyntaxError.
func ParseHooks(path string, src []byte) ([]Hook, error) {
	r := reader{path}
	if strings.HasSuffix(path, ".json") {
		if err := r.checkJSON(src); err != nil {
			return nil, err
		}
		// YAML refuses tabs, which JSON has between tokens only.
		src = bytes.ReplaceAll(src, []byte("\t"), []byte(" "))
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, r.syntax(err)
	}
	// An empty file has no hooks.
	if len(doc.Content) == 0 {
		return nil, nil
	}
	var hooks []Hook
	err := r.members(doc.Content[0], "the file", func(key, value *yaml.Node) error {
		if key.Value != "hooks" {
			return r.fail(key, "unknown key %q (the file has the key hooks)", key.Value)
		}
		return r.members(value, "hooks", func(key, value *yaml.Node) error {
			h, err := r.hook(key, value)
			hooks = append(hooks, h)
			return err
		})
	})
	return hooks, err
}

// FindHook returns the hook with a name.
func FindHook(hooks []Hook, name string) (Hook, bool) {
	for _, h := range hooks {
		if h.Name == name {
			return h, true
		}
	}
	return Hook{}, false
}

// HookNames lists the names of hooks in their order: "lint, test", and "none" if there are none.
func HookNames(hooks []Hook) string {
	if len(hooks) == 0 {
		return "none"
	}
	names := make([]string, len(hooks))
	for i, h := range hooks {
		names[i] = h.Name
	}
	return strings.Join(names, ", ")
}

// reader reports faults of one file.
type reader struct{ path string }

func (r reader) fail(at *yaml.Node, format string, args ...any) error {
	return &markdown.SyntaxError{Path: r.path, Line: max(at.Line, 1), Msg: fmt.Sprintf(format, args...)}
}

// checkJSON refuses what only YAML understands.
func (r reader) checkJSON(src []byte) error {
	var value any
	err := json.Unmarshal(src, &value)
	if err == nil {
		return nil
	}
	line := 1
	// Other errors name no place.
	if where, ok := errors.AsType[*json.SyntaxError](err); ok {
		line += bytes.Count(src[:min(int(where.Offset), len(src))], []byte("\n"))
	}
	return &markdown.SyntaxError{Path: r.path, Line: line, Msg: err.Error()}
}

// yamlLine finds the line in an error of the YAML library.
var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

func (r reader) syntax(err error) error {
	text, line := err.Error(), 1
	if m := yamlLine().FindStringSubmatch(text); m != nil {
		text = text[len(m[0]):]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	return &markdown.SyntaxError{Path: r.path, Line: line, Msg: text}
}

// members calls do for each member of a mapping; there are none in a null.
func (r reader) members(node *yaml.Node, what string, do func(key, value *yaml.Node) error) error {
	node = resolveAlias(node)
	// A key without a value is as good as none.
	if node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return r.fail(node, "%s must be a mapping of names to values", what)
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			return r.fail(key, "a key of %s must be a text", what)
		}
		// The YAML library would keep one of them without a word.
		if first := seen[key.Value]; first > 0 {
			return r.fail(key, "key %q appears twice, first on line %d", key.Value, first)
		}
		seen[key.Value] = max(key.Line, 1)
		if err := do(key, value); err != nil {
			return err
		}
	}
	return nil
}

// hook reads one hook.
func (r reader) hook(name, node *yaml.Node) (Hook, error) {
	h := Hook{Name: name.Value, Timeout: DefaultHookTimeout}
	err := r.members(node, fmt.Sprintf("hook %q", h.Name), func(key, value *yaml.Node) error {
		value = resolveAlias(value)
		switch key.Value {
		case "command":
			return r.text(key, value, &h.Command)
		case "timeout_secs":
			n, err := strconv.Atoi(value.Value)
			// A limit of 0 would be none, and one of a year a mistake.
			if value.Tag != "!!int" || err != nil || n < 1 || n > maxTimeout {
				return r.fail(value, "timeout_secs of hook %q must be a number of seconds from 1 to %d", h.Name, maxTimeout)
			}
			h.Timeout = time.Duration(n) * time.Second
			return nil
		case "cwd":
			return r.folder(key, value, &h)
		case "env":
			return r.members(value, "env", func(key, value *yaml.Node) error { return r.variable(key, resolveAlias(value), &h) })
		}
		return r.fail(key, "unknown key %q of hook %q (command, timeout_secs, cwd or env)", key.Value, h.Name)
	})
	if err == nil && strings.TrimSpace(h.Command) == "" {
		err = r.fail(name, "hook %q has no command", h.Name)
	}
	return h, err
}

// text reads a text without the character that ends the arguments of processes.
func (r reader) text(key, value *yaml.Node, into *string) error {
	// A process cannot be started with a zero byte in its arguments.
	if value.Tag != "!!str" || strings.ContainsRune(value.Value, 0) {
		return r.fail(value, "%s must be a text", key.Value)
	}
	*into = value.Value
	return nil
}

// folder reads a folder below the worktree; null is its top.
func (r reader) folder(key, value *yaml.Node, h *Hook) error {
	if value.Tag == "!!null" {
		return nil
	}
	if err := r.text(key, value, &h.Dir); err != nil {
		return err
	}
	// A hook must not change what is outside of the worktree.
	if !filepath.IsLocal(filepath.FromSlash(h.Dir)) {
		return r.fail(value, "cwd of hook %q must be a folder below the worktree, not %q", h.Name, h.Dir)
	}
	return nil
}

func (r reader) variable(key, value *yaml.Node, h *Hook) error {
	if strings.ContainsAny(key.Value, "=\x00") || value.Kind != yaml.ScalarNode || value.Tag == "!!null" || strings.ContainsRune(value.Value, 0) {
		return r.fail(key, "env of hook %q must have a text for %q", h.Name, key.Value)
	}
	h.Env = append(h.Env, key.Value+"="+value.Value)
	return nil
}

// resolveAlias follows an alias to its value.
func resolveAlias(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}

// Line returns what sh runs for the hook, with arguments or without. Arguments are the positional parameters of the shell,
// and follow the command, unless that says itself where they belong. ok is false if what follows the command would be a
// command of its own or a comment: an argument such as "rm" must not be run.
func (h Hook) Line(withArguments bool) (line string, ok bool) {
	command := strings.TrimSpace(h.Command)
	// The command says itself where arguments belong.
	if !withArguments || strings.Contains(command, "$@") || strings.Contains(command, "$*") {
		return command, true
	}
	return command + ` "$@"`, endsInWord(command)
}

// endsInWord reports whether a word that is appended to a command of sh, behind a space, belongs to its last part. It
// knows quotes, escapes and comments, and takes the text of here documents for commands.
func endsInWord(command string) bool {
	// The open quote, and the character before.
	var quote, before rune
	escaped, comment := false, false
	for _, c := range command {
		switch {
		case comment:
			comment = c != '\n'
		case escaped:
			// An escaped character is one of a word, whatever it is.
			escaped, c = false, 'x'
		case quote == '\'' || quote == '"' && c != '\\':
			if c == quote {
				quote = 0
			}
			c = 'x'
		case c == '\\':
			escaped = true
		case c == '\'' || c == '"':
			quote = c
		case c == '#':
			// Within a word a # begins no comment.
			comment = before == 0 || unicode.IsSpace(before) || strings.ContainsRune(";&|()", before)
		}
		before = c
	}
	return !escaped && !comment && quote == 0 && !strings.ContainsRune(";&|", before)
}

package leader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"chant/engine/spec/next"
	"chant/providers"
	"chant/providers/secret"
	"chant/text"
)

// pullState is how far a pull request is.
type pullState string

// The states of a pull request.
const (
	pullOpen   pullState = "open"
	pullClosed pullState = "closed" // without a merge
	pullMerged pullState = "merged"
)

// pull is a pull request.
type pull struct {
	URL    string
	Branch string // that it wants to merge
	State  pullState
}

// pullDraft is a pull request that is to be opened.
type pullDraft struct {
	Branch, Target string
	Title, Body    string // the body is Markdown
}

// forgeCaller is where programs are started.
type forgeCaller struct {
	Dir     string
	Environ []string
	Machine string           // in words, if it is not certain where a missing program belongs
	Secrets *secret.Redactor // are removed from what programs print
}

// forge is a repository on a forge, and the program that can be asked about it.
type forge struct {
	Place   place
	Program string // gh or glab

	caller forgeCaller
	path   string // of the program
	words  dialect
}

// forgeError reports a forge that cannot be asked, or that has not done what it was asked to.
type forgeError struct {
	Message string
	Next    next.Step // what can be done about it
}

// Error says what is wrong.
func (e *forgeError) Error() string { return e.Message }

// findForge returns the forge that has the repository at an address. Error: *forgeError.
func findForge(ctx context.Context, c forgeCaller, address string) (*forge, error) {
	place, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	for _, d := range dialects() {
		if strings.Contains(place.Host, d.host) {
			path, err := providers.Find(d.program, c.Dir, c.Environ)
			if err != nil {
				step := fmt.Sprintf("install %s%s, and log in with %q", d.program, c.Machine, d.program+" auth login")
				return nil, &forgeError{err.Error(), next.ByHand(step)}
			}
			return &forge{Place: place, Program: d.program, caller: c, path: path, words: d}, nil
		}
	}
	// The name of the host says nothing, so the program that is logged in to it decides.
	for _, d := range dialects() {
		path, err := providers.Find(d.program, c.Dir, c.Environ)
		if err != nil {
			continue
		}
		f := &forge{Place: place, Program: d.program, caller: c, path: path, words: d}
		_, err = f.run(ctx, "auth", "status", "--hostname", place.Host)
		if err == nil || ctx.Err() != nil {
			return f, ctx.Err()
		}
	}
	return nil, &forgeError{
		fmt.Sprintf("neither gh nor glab is logged in to %q", place.Host),
		next.Shell("gh auth login --hostname %s, or glab auth login --hostname %s", place.Host, place.Host),
	}
}

// Pulls lists the pull requests for a target: the open ones, or all of one branch. The list of open ones may be
// incomplete where there are many. Error: *forgeError.
func (f *forge) Pulls(ctx context.Context, target, branch string) ([]pull, error) {
	args := f.words.list(f.Place, target, branch)
	out, err := f.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	pulls, err := f.words.parse([]byte(out))
	if err != nil {
		return nil, f.failure(args, err.Error())
	}
	var own []pull
	for _, p := range pulls {
		// The programs also list branches whose names only contain this one.
		if branch == "" || p.Branch == branch {
			own = append(own, p)
		}
	}
	return own, nil
}

// Create opens a pull request and returns its address. Error: *forgeError.
func (f *forge) Create(ctx context.Context, d pullDraft) (string, error) {
	args := f.words.create(f.Place, d)
	out, err := f.run(ctx, args...)
	if err != nil {
		return "", err
	}
	words := strings.Fields(out)
	// Warnings and hints come before the address.
	for i := len(words) - 1; i >= 0; i-- {
		if isURL(words[i]) {
			return words[i], nil
		}
	}
	return "", f.failure(args, "it has not printed the address of a pull request")
}

// The limits of a program.
const (
	maxTime   = 2 * time.Minute
	maxOutput = 4 << 20 // bytes
)

// run starts the program, which has no terminal and asks nothing, and returns what it prints.
func (f *forge) run(ctx context.Context, args ...string) (string, error) {
	// A program that asks would wait for ever without a terminal.
	env := append(f.caller.Environ[:len(f.caller.Environ):len(f.caller.Environ)],
		"GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "NO_PROMPT=1", "NO_COLOR=1", "GLAB_CHECK_UPDATE=false")
	// The arguments come from specs, so they are passed beside the shell line and never in it.
	c := providers.Command{Line: `exec "$0" "$@"`, Dir: f.caller.Dir, Env: env, Timeout: maxTime, Secrets: f.caller.Secrets}
	r, err := providers.RunApart(ctx, c, maxOutput, f.path, args...)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", errors.Join(f.failure(args, ""), err)
	case r.TimedOut:
		return "", f.failure(args, fmt.Sprintf("it has not ended within %s", maxTime))
	case r.ExitCode != 0:
		return "", f.failure(args, lastLine(cmp.Or(strings.TrimSpace(r.Stderr), strings.TrimSpace(r.Stdout))))
	}
	return r.Stdout, nil
}

// failure reports a command of the program that has failed, or has printed something unexpected. said is its last line.
func (f *forge) failure(args []string, said string) error {
	command := strings.Join(args[:min(2, len(args))], " ")
	return &forgeError{fmt.Sprintf("%s %s: %s", f.Program, command, cmp.Or(said, "it has failed and printed nothing")), next.Shell("%s auth status", f.Program)}
}

// lastLine returns the last line of a text, at most 300 bytes of it.
func lastLine(s string) string {
	return text.Ends(text.Printable(s[strings.LastIndexByte(s, '\n')+1:]), 300)
}

// place is a repository on a forge.
type place struct {
	Host string // with a port if the address is one of HTTP and has one
	Path string // such as team/app, without slashes at its ends
}

// parseAddress reads the address of a remote, in any form that git takes for another host. Error: *forgeError.
func parseAddress(address string) (place, error) {
	refused := &forgeError{
		fmt.Sprintf("%q is not the address of a repository on a forge", withoutLogin(address)),
		next.ByHand(`set the remote to its address on GitHub or GitLab, or "fleet.land" to merge`),
	}
	host, path, ok := splitAddress(address)
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	parts := strings.Split(path, "/")
	if !ok || host == "" || len(parts) < 2 {
		return place{}, refused
	}
	for _, part := range append(parts, host) {
		if part == "" || part == "." || part == ".." || strings.HasPrefix(part, "-") || strings.ContainsFunc(part, isForeignRune) {
			return place{}, refused
		}
	}
	return place{Host: strings.ToLower(host), Path: path}, nil
}

// splitAddress returns the host and the path of an address; false for a path of this machine.
func splitAddress(address string) (host, path string, ok bool) {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.RawQuery != "" || u.Fragment != "" {
			return "", "", false
		}
		switch u.Scheme {
		case "https", "http":
			return u.Host, u.Path, true
		case "ssh", "git", "git+ssh", "ssh+git":
			// The port of ssh is not that of the forge.
			return u.Hostname(), u.Path, true
		}
		return "", "", false
	}
	// This is the form of ssh.
	host, path, ok = strings.Cut(address, ":")
	if _, after, login := strings.Cut(host, "@"); login {
		host = after
	}
	// One letter is a drive of Windows.
	return host, path, ok && len(host) > 1 && !strings.ContainsAny(host, `/\`)
}

// isForeignRune reports whether a character is in no name of a host, group or repository.
func isForeignRune(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !letter && !strings.ContainsRune("-._~+:", r)
}

// withoutLogin returns an address without user and password.
func withoutLogin(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return address
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

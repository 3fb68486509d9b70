// Package claims reads what the machines of a fleet work on, as a clone has fetched it last, and how the fleet is, as its
// hub has written it there.
//
// # Rules
//
//   - It uses no network, and a clone that takes part in no fleet costs one look at a file.
//   - A claim that cannot be read hides no other one.
package claims

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"chant/engine/fleet"
	"chant/engine/fleet/remote"
	"chant/gitops"
)

// MembershipPath is the file that says how a clone takes part in a fleet.
func MembershipPath(r *gitops.Repo) string {
	return filepath.Join(r.CommonDir(), "chant", "fleet.json")
}

// TakesPart reports whether a clone takes part in a fleet: it has a membership, or its settings have the address of a
// server.
func TakesPart(r *gitops.Repo, url string) bool {
	if url != "" {
		return true
	}
	_, err := os.Stat(MembershipPath(r))
	return err == nil
}

// RemoteName returns the name of the git remote of a fleet: that of the membership, else usual.
func RemoteName(r *gitops.Repo, usual string) string {
	var m struct {
		Remote string `json:"remote"`
	}
	text, err := os.ReadFile(MembershipPath(r))
	if err != nil || json.Unmarshal(text, &m) != nil || m.Remote == "" {
		return usual
	}
	return m.Remote
}

// Fetched returns the claims by spec. A claim that cannot be read is an error of its own, and the others are returned
// all the same.
func Fetched(ctx context.Context, r *gitops.Repo) (map[string]fleet.Claim, error) {
	held, err := (&remote.Remote{Repo: r}).Claims(ctx)
	out := make(map[string]fleet.Claim, len(held))
	for id, h := range held {
		out[id] = h.Claim
	}
	return out, err
}

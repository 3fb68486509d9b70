package setup

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/format/report"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/providers"
)

// Releases is the address of chant's releases, which release/build sets in the programs of a release.
var Releases string

// planCI plans the files of a CI job that checks specs. Files that exist stay; a warning names what a person has to add
// to them, and what the job needs.
func (i *initializer) planCI(ctx context.Context) error {
	if i.in.CI == "" {
		return nil
	}
	version, _, _ := strings.Cut(i.Version, "+") // without the commit, which is in no address
	release := report.Release{Version: cmp.Or(version, "0.0.0"), Address: cmp.Or(providers.Variable(i.Environ, report.ReleasesVariable), Releases)}
	if strings.ContainsAny(release.Address, "'\"\n") {
		return engine.Fail(engine.Usage, next.Init.Help(), "invalid %s %q (an address without quotes)", report.ReleasesVariable, release.Address)
	}
	files, known := report.Files(i.in.CI, release)
	if !known {
		return engine.Fail(engine.Usage, next.Init.Help(), "%s", spec.Unknown("CI system", i.in.CI, report.Systems()))
	}
	if silent, err := i.isSilent(ctx); err != nil || silent {
		if err != nil {
			return err
		}
		return engine.Fail(engine.Usage, next.Init.Help(), "git ignores the specs here, so a CI job would have none to check (leave out the CI system, or silent mode)")
	}
	made := false
	for _, f := range files {
		if err := i.planFile(f.Path, f.Text, keepFile); err != nil {
			return err
		}
		edit, err := i.editOf(f.Path)
		if err != nil {
			return err
		}
		made = made || edit.have == nil
		if todo := f.Missing(edit.want); todo != "" {
			i.warnings = append(i.warnings, fmt.Sprintf("%s: %s", f.Path, todo))
		}
		if edit.have != nil && f.Lists == "" && !bytes.Equal(edit.have, f.Text) {
			i.warnings = append(i.warnings, fmt.Sprintf("%s exists and differs from the job of this version; it stays as it is", f.Path))
		}
	}
	if made && release.Address == "" {
		i.warnings = append(i.warnings, fmt.Sprintf("the CI job installs version %s of chant from the address in its variable %s: set it in %s", release.Version, report.ReleasesVariable, i.in.CI))
	}
	return nil
}

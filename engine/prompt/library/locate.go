package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"chant/engine/format/climpt"
)

// registryFile returns the default path of the registry of an agent.
func registryFile(agent string) string { return AgentsDir + "/" + agent + "/registry.json" }

// registryPaths reads which registry each agent has by climpt's registry_config.json, the project's before the user's.
func (s *shelf) registryPaths() (map[string]string, error) {
	// The first file counts as a whole, so that a project can leave out what the user has.
	for _, pl := range s.places {
		file := configDir + "/registry_config.json"
		src, err := s.read(pl, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, &RegistryError{pl.name(file), err.Error()}
		}
		var config struct {
			Registries map[string]string `json:"registries"`
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(src), "\ufeff")), &config); err != nil {
			return nil, &RegistryError{pl.name(file), fmt.Sprintf("invalid JSON: %s", err)}
		}
		return config.Registries, nil
	}
	return nil, nil
}

// found is a registry that was read.
type found struct {
	pl   place
	file string // "" = the agent has none
	src  string
}

// findRegistry reads the registry of an agent, the project's before the user's. Error: *RegistryError, also for a file
// that the settings name and that does not exist, unless it is the one where registries are anyway.
func (s *shelf) findRegistry(agent string) (found, error) {
	paths, err := s.registryPaths()
	if err != nil {
		return found{}, err
	}
	file := registryFile(agent)
	if given, ok := paths[agent]; ok {
		file = cleanPath(given)
	}
	for _, pl := range s.places {
		src, err := s.read(pl, file)
		switch {
		case err == nil:
			return found{pl, file, string(src)}, nil
		case !errors.Is(err, fs.ErrNotExist):
			return found{}, &RegistryError{pl.name(file), err.Error()}
		}
	}
	// An agent without any registry is described by its prompts, but a path that was named on purpose must exist.
	if file != registryFile(agent) {
		return found{}, &RegistryError{file, missingFile}
	}
	return found{}, nil
}

// agents lists the agents that have commands: climpt, those that the settings name, and those with a folder.
func (s *shelf) agents() ([]string, error) {
	out := []string{DefaultAgent}
	paths, err := s.registryPaths()
	if err != nil {
		return nil, err
	}
	for agent := range paths {
		out = append(out, agent)
	}
	for _, pl := range s.places {
		entries, err := s.list(pl, AgentsDir, true)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			file := AgentsDir + "/" + e.Name()
			if s.hasFile(pl, file+"/registry.json") || s.hasFile(pl, file+"/prompts") {
				out = append(out, e.Name())
			}
		}
	}
	out = slices.DeleteFunc(out, func(agent string) bool { return climpt.CheckWord("agent", agent) != nil })
	slices.Sort(out)
	return slices.Compact(out), nil
}

// hasFile reports whether a place has a file or folder.
func (s *shelf) hasFile(pl place, file string) bool {
	_, err := os.Stat(pathIn(pl, file))
	return err == nil && checkInside(pl, file) == nil
}

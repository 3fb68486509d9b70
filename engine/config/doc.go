// Package config reads the settings of a project, `.chant/config.md`, and the files of its own providers.
//
// It knows no project: it takes a folder or bytes, and returns values. A value of the wrong form is an error that names
// file and line; Parse of what fits (ReadWhatFits) exists for the command that checks the settings.
package config

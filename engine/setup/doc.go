// Package setup prepares a repository: Init, the files that agent CLIs read, the demo, and the check of the settings.
//
// CheckConfig alone asks servers whether they are there.
package setup

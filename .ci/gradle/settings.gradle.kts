// Applications as Gradle users have them, of the artifacts that .ci/release-dry-run published in a folder:
// .ci/release-dry-run && gradle -p .ci/gradle check
rootProject.name = "applications"

include("groovy", "kotlin")

dependencyResolutionManagement {
	repositories {
		maven {
			url = uri("../../target/release/published")
			content { includeGroup("io.github.lockboot") }
		}
		mavenCentral {
			content { excludeGroup("io.github.lockboot") }
		}
	}
}

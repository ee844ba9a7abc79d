import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Evaluates a build file with the classes of Gradle, runs its task {@code versions}, and
 * writes the class path that Gradle resolves. Arguments: the folder of the project, the
 * folder of the published artifacts, Gradle's own folder, and the file to write.
 */
class Resolve {

	public static void main(String[] arguments) throws Exception {
		Project project = ProjectBuilder.builder()
			.withProjectDir(new File(arguments[0]))
			.withGradleUserHomeDir(new File(arguments[2]))
			.build();
		// as settings.gradle.kts, which is not evaluated
		project.getRepositories().maven((repository) -> {
			repository.setUrl(new File(arguments[1]).toURI());
			repository.content((content) -> content.includeGroup("io.github.lockboot"));
		});
		project.getRepositories()
			.mavenCentral((repository) -> repository.content((content) -> content.excludeGroup("io.github.lockboot")));
		project.apply(Map.of("from", new File(arguments[0], "build.gradle")));
		Task versions = project.getTasks().getByName("versions");
		versions.getActions().forEach((action) -> action.execute(versions));
		Files.writeString(Path.of(arguments[3]),
				project.getConfigurations().getByName("runtimeClasspath").getAsPath());
		System.exit(0);
	}

}

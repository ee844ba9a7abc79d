package io.github.lockboot.lines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisClient;
import kotlin.KotlinVersion;
import net.javacrumbs.shedlock.core.LockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page on compatibility has the versions of the libraries that are on the class path.
 */
class CompatibilityTests {

	private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

	@Test
	void theRowOfThisLineHasItsVersions() throws IOException {
		String page = Files.readString(Path.of("../../../docs/compatibility.md"));
		List<String> row = page.lines()
			.filter((line) -> line.startsWith("| " + SpringBootVersion.getVersion() + " |"))
			.toList();
		assertThat(row).singleElement()
			.asString()
			.contains(String.valueOf(SpringVersion.getVersion()), ofJar(RedisClient.class), ofJar(LockRegistry.class));
		assertThat(page).contains("ShedLock is " + ofJar(LockProvider.class),
				"with Curator " + ofJar(CuratorFramework.class));
		assertThat(page.lines().filter((line) -> line.startsWith("| Kotlin |"))).singleElement()
			.asString()
			.contains(KotlinVersion.CURRENT.toString());
	}

	private static String ofJar(Class<?> type) {
		String jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
			.getFileName()
			.toString();
		Matcher version = VERSION.matcher(jar);
		assertThat(version.find()).as(jar).isTrue();
		return version.group();
	}

}

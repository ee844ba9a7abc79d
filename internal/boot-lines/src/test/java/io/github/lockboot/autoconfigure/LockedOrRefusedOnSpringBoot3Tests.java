package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A tenth of the table in the manual, for which its test was compiled against a later
 * Spring Boot. Each declaration has its turn with other beans.
 */
@EnabledIfSystemProperty(named = "lockboot.line", matches = "3\\..*")
class LockedOrRefusedOnSpringBoot3Tests extends LockedOrRefusedTests {

	@Override
	boolean isChosen(String declaration, int bean, boolean jdk) {
		return Math.floorMod(declaration.hashCode() + bean + (jdk ? 5 : 0), 10) == 0;
	}

}

package io.github.lockboot;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicApiTests {

	@ParameterizedTest
	@ValueSource(strings = { "lock-core", "lock-redis", "lock-spring", "lock-spring-boot-autoconfigure",
			"lock-spring-boot-cache", "lock-spring-boot-jdbc", "lock-spring-boot-kotlin",
			"lock-spring-boot-starter-test", "lock-spring-boot-zookeeper" })
	void publicApiIsThatOfTheList(String module) throws IOException {
		PublicApi.assertUnchanged(Path.of("../..", module));
	}

}

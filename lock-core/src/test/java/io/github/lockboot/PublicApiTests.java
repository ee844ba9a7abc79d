package io.github.lockboot;

import java.io.IOException;
import java.net.URISyntaxException;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.PublicApi;

class PublicApiTests {

	@Test
	void publicApiIsThatOfTheList() throws IOException, URISyntaxException {
		PublicApi.assertUnchanged(LockOperations.class);
	}

}
